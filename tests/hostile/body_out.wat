;; A request body without end.
(func $attack (result i32)
  (local $request i32) (local $body i32)
  (local.set $request (call $request (call $fields_new)))
  (call $request_body (local.get $request) (global.get $ret))
  (local.set $body (i32.load offset=4 (global.get $ret)))
  (call $body_write (local.get $body) (global.get $ret))
  (local.set $body (i32.load offset=4 (global.get $ret)))
  (drop (call $send (local.get $request) (i32.const 0) (i32.const 0)))
  (loop $again
    (call $write (local.get $body) (i32.const 0) (i32.const 4096) (global.get $ret))
    (br_if $again (i32.eqz (i32.load8_u (global.get $ret)))))
  (i32.const 6000))
