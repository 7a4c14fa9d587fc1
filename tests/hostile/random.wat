;; More random bytes than there is memory for, on either side.
(func $attack (result i32)
  (call $random (i64.const -1) (global.get $ret))
  (unreachable))
