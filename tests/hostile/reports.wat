;; Tells the host of refusals that never were, in texts without end and with line ends in them.
(import "holm:tool/harness@0.1.0" "request-refused" (func $request_refused (param i32 i32 i32 i32 i32 i32 i32)))
(import "holm:tool/harness@0.1.0" "variable-missing" (func $variable_missing (param i32 i32)))
(func $attack (result i32)
  (local $left i32)
  (local.set $left (i32.const 200))
  (memory.fill (i32.const 16384) (i32.const 10) (i32.const 98304))
  (loop $again
    (call $request_refused
      (i32.const 16384) (i32.const 98304) (i32.const 16384) (i32.const 98304)
      (i32.const 1) (i32.const 16384) (i32.const 98304))
    (i32.store8 (i32.const 16384) (i32.add (i32.const 32) (i32.rem_u (local.get $left) (i32.const 64))))
    (call $variable_missing (i32.const 16384) (i32.const 98304))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $again (local.get $left)))
  (i32.const 8000))
