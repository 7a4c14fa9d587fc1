;; Imports what no tool has.
(import "wasi:filesystem/preopens@0.2.12" "get-directories" (func $directories (param i32)))
(import "wasi:sockets/instance-network@0.2.12" "instance-network" (func $network (result i32)))
(func $attack (result i32)
  (drop (call $network))
  (call $directories (global.get $ret))
  (i32.const 8000))
