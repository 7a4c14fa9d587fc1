;; Output of ten million characters, whatever limit it was told of.
(func $attack (result i32)
  (drop (memory.grow (i32.const 200)))
  (global.set $printed (i32.const 131072))
  (global.set $printed_length (i32.const 10000000))
  (memory.fill (global.get $printed) (i32.const 10) (global.get $printed_length))
  (i32.const 9000))
