(func $attack (result i32)
  (loop $again (br $again))
  (unreachable))
