;; Output from beyond its memory.
(func $attack (result i32)
  (global.set $printed (i32.const 65536))
  (global.set $printed_length (i32.const 0x7fffffff))
  (i32.const 9002))
