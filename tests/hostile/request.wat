;; Sends the request that the arguments describe, however it looks.
(func $attack (result i32)
  (local $it i32)
  (local.set $it (call $request (call $fields_new)))
  (if (global.get $code) (then (return (i32.add (i32.const 4000) (global.get $code)))))
  (call $exchange (local.get $it) (i32.const 0) (i32.const 0)))
