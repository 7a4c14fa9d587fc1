;; Asks for the longest timeouts that there are.
(func $attack (result i32)
  (local $options i32)
  (local.set $options (call $options_new))
  (drop (call $set_connect (local.get $options) (i32.const 1) (i64.const -1)))
  (drop (call $set_first_byte (local.get $options) (i32.const 1) (i64.const -1)))
  (drop (call $set_between (local.get $options) (i32.const 1) (i64.const -1)))
  (call $exchange (call $request (call $fields_new)) (i32.const 1) (local.get $options)))
