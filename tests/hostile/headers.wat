;; 100,000 headers in one request.
(func $attack (result i32)
  (local $fields i32) (local $n i32)
  (local.set $fields (call $fields_new))
  (loop $again
    (call $fields_append (local.get $fields) (i32.const 0) (i32.const 5) (i32.const 0) (i32.const 5) (global.get $ret))
    (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 100000))))
  (call $exchange (call $request (local.get $fields)) (i32.const 0) (i32.const 0)))
(data (i32.const 0) "x-one")
