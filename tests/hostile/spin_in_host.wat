;; Spends its time in the host, call by call.
(func $attack (result i32)
  (loop $again
    (global.set $top (i32.const 65536))
    (call $random (i64.const 65536) (global.get $ret))
    (br $again))
  (unreachable))
