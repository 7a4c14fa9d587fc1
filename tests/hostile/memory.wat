;; All the memory that there is, and breaks off when there is no more.
(func $attack (result i32)
  (loop $again
    (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
  (unreachable))
