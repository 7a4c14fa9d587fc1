;; A header of 40 MiB in one call of the host.
(func $attack (result i32)
  (drop (memory.grow (i32.const 700)))
  (call $fields_append (call $fields_new) (i32.const 0) (i32.const 5)
    (i32.const 65536) (i32.const 41943040) (global.get $ret))
  (unreachable))
(data (i32.const 0) "x-one")
