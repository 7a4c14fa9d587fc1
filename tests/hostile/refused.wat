;; 5,000 requests with options, as fast as it can; gives how many were refused.
(func $attack (result i32)
  (local $n i32) (local $refused i32)
  (loop $again
    (if (i32.eqz (call $send (call $request (call $fields_new)) (i32.const 1) (call $options_new)))
      (then (local.set $refused (i32.add (local.get $refused) (i32.eq (global.get $code) (i32.const 1015))))))
    (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 5000))))
  (local.get $refused))
