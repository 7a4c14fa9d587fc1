;; Ends in good order with a request under way that nobody waits for.
(func $attack (result i32)
  (drop (call $send (call $request (call $fields_new)) (i32.const 0) (i32.const 0)))
  (i32.const 7000))
