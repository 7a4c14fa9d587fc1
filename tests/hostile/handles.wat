;; Takes handles and gives none back.
(func $attack (result i32)
  (loop $again
    (drop (call $fields_new))
    (br $again))
  (unreachable))
