;; Breaks off in the middle of a response.
(func $attack (result i32)
  (call $read
    (call $stream (call $await (call $send (call $request (call $fields_new)) (i32.const 0) (i32.const 0))))
    (i64.const 1) (global.get $ret))
  (unreachable))
