;; What every hostile guest has: all of `wasi:http`, `wasi:io`, `wasi:clocks` and
;; `wasi:random` that it wants, straight from the host, and no tein. Each attack adds one
;; function, `$attack`, whose number becomes the text of the call's result.
;;
;;   1000 + n  `handle` gave error code n        3000 + n  a whole response with status n
;;   2000 + n  the response is error code n      4000 + n  n of the request's parts were not taken
;;   5000 + n  the body's stream ended with n    5900      ... with an error that has no code
;;
;; The arguments of the call have `|` between them: method, scheme, authority, path, then a header's
;; name and value, and once more.

(import "wasi:http/types@0.2.12" "[constructor]fields" (func $fields_new (result i32)))
(import "wasi:http/types@0.2.12" "[method]fields.append"
  (func $fields_append (param i32 i32 i32 i32 i32 i32)))
(import "wasi:http/types@0.2.12" "[constructor]outgoing-request" (func $request_new (param i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]outgoing-request.set-method"
  (func $set_method (param i32 i32 i32 i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]outgoing-request.set-scheme"
  (func $set_scheme (param i32 i32 i32 i32 i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]outgoing-request.set-authority"
  (func $set_authority (param i32 i32 i32 i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]outgoing-request.set-path-with-query"
  (func $set_path (param i32 i32 i32 i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]outgoing-request.body" (func $request_body (param i32 i32)))
(import "wasi:http/types@0.2.12" "[method]outgoing-body.write" (func $body_write (param i32 i32)))
(import "wasi:http/types@0.2.12" "[constructor]request-options" (func $options_new (result i32)))
(import "wasi:http/types@0.2.12" "[method]request-options.set-connect-timeout"
  (func $set_connect (param i32 i32 i64) (result i32)))
(import "wasi:http/types@0.2.12" "[method]request-options.set-first-byte-timeout"
  (func $set_first_byte (param i32 i32 i64) (result i32)))
(import "wasi:http/types@0.2.12" "[method]request-options.set-between-bytes-timeout"
  (func $set_between (param i32 i32 i64) (result i32)))
(import "wasi:http/outgoing-handler@0.2.12" "handle" (func $handle (param i32 i32 i32 i32)))
(import "wasi:http/types@0.2.12" "[method]future-incoming-response.subscribe"
  (func $future_subscribe (param i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]future-incoming-response.get" (func $future_get (param i32 i32)))
(import "wasi:http/types@0.2.12" "[method]incoming-response.status" (func $status (param i32) (result i32)))
(import "wasi:http/types@0.2.12" "[method]incoming-response.consume" (func $consume (param i32 i32)))
(import "wasi:http/types@0.2.12" "[method]incoming-body.stream" (func $body_stream (param i32 i32)))
(import "wasi:http/types@0.2.12" "http-error-code" (func $error_code (param i32 i32)))
(import "wasi:io/streams@0.2.12" "[method]input-stream.blocking-read"
  (func $read (param i32 i64 i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
  (func $write (param i32 i32 i32 i32)))
(import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
(import "wasi:io/poll@0.2.12" "[resource-drop]pollable" (func $pollable_drop (param i32)))
(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
(import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-instant" (func $subscribe_instant (param i64) (result i32)))
(import "wasi:random/random@0.2.12" "get-random-bytes" (func $random (param i64 i32)))

(memory (export "memory") 2)
(global $top (mut i32) (i32.const 8192))
(global $args (mut i32) (i32.const 0))
(global $args_length (mut i32) (i32.const 0))
;; The error code of what was just tried, when it failed.
(global $code (mut i32) (i32.const 0))
;; Where functions with large results put them.
(global $ret i32 (i32.const 1024))
;; What the call is said to have printed, to stdout and to stderr alike.
(global $printed (mut i32) (i32.const 0))
(global $printed_length (mut i32) (i32.const 0))

(func $realloc (export "cabi_realloc") (param i32 i32) (param $align i32) (param $size i32) (result i32)
  (local $at i32)
  (local.set $at
    (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
  (global.set $top (i32.add (local.get $at) (local.get $size)))
  (if (i32.gt_u (global.get $top) (i32.mul (memory.size) (i32.const 65536)))
    (then
      (if (i32.eq (memory.grow (i32.add (i32.shr_u (local.get $size) (i32.const 16)) (i32.const 1)))
                  (i32.const -1))
        (then (unreachable)))))
  (local.get $at))

;; The nth of the arguments.
(func $line (param $n i32) (result i32 i32)
  (local $at i32) (local $end i32) (local $start i32)
  (local.set $at (global.get $args))
  (local.set $start (local.get $at))
  (local.set $end (i32.add (local.get $at) (global.get $args_length)))
  (loop $next
    (if (i32.ge_u (local.get $at) (local.get $end))
      (then
        (if (local.get $n) (then (return (local.get $end) (i32.const 0))))
        (return (local.get $start) (i32.sub (local.get $end) (local.get $start)))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 124))
      (then
        (if (i32.eqz (local.get $n))
          (then (return (local.get $start) (i32.sub (local.get $at) (local.get $start)))))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (local.set $start (i32.add (local.get $at) (i32.const 1)))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br $next))
  (unreachable))

(func $line_length (param $n i32) (result i32)
  (local $length i32)
  (call $line (local.get $n))
  (local.set $length)
  (drop)
  (local.get $length))

;; Appends the header of two arguments, if it is there; counts it in $code if it is not taken.
(func $header (param $fields i32) (param $n i32)
  (if (i32.eqz (call $line_length (local.get $n))) (then (return)))
  (local.get $fields)
  (call $line (local.get $n))
  (call $line (i32.add (local.get $n) (i32.const 1)))
  (global.get $ret)
  (call $fields_append)
  (global.set $code (i32.add (global.get $code) (i32.load8_u (global.get $ret)))))

;; A request as the arguments say, with these headers. $code counts what was not taken.
(func $request (param $fields i32) (result i32)
  (local $it i32)
  (global.set $code (i32.const 0))
  (call $header (local.get $fields) (i32.const 4))
  (call $header (local.get $fields) (i32.const 6))
  (local.set $it (call $request_new (local.get $fields)))
  (local.get $it) (i32.const 9) (call $line (i32.const 0)) (call $set_method)
  (local.get $it) (i32.const 1)
  (if (result i32) (i32.eq (call $line_length (i32.const 1)) (i32.const 4))
    (then (i32.const 0))
    (else (select (i32.const 1) (i32.const 2) (i32.eq (call $line_length (i32.const 1)) (i32.const 5)))))
  (call $line (i32.const 1)) (call $set_scheme)
  (local.get $it) (i32.const 1) (call $line (i32.const 2)) (call $set_authority)
  (local.get $it) (i32.const 1) (call $line (i32.const 3)) (call $set_path)
  (i32.add) (i32.add) (i32.add)
  (global.set $code (i32.add (global.get $code)))
  (local.get $it))

;; Hands a request over; a future, or 0 with $code.
(func $send (param $request i32) (param $with i32) (param $options i32) (result i32)
  (call $handle (local.get $request) (local.get $with) (local.get $options) (global.get $ret))
  (if (i32.load8_u (global.get $ret))
    (then
      (global.set $code (i32.add (i32.const 1000) (i32.load8_u offset=8 (global.get $ret))))
      (return (i32.const 0))))
  (i32.load offset=8 (global.get $ret)))

;; Waits for a response; a response, or 0 with $code.
(func $await (param $future i32) (result i32)
  (local $pollable i32)
  (loop $again
    (call $future_get (local.get $future) (global.get $ret))
    (if (i32.eqz (i32.load8_u (global.get $ret)))
      (then
        (local.set $pollable (call $future_subscribe (local.get $future)))
        (call $block (local.get $pollable))
        (call $pollable_drop (local.get $pollable))
        (br $again))))
  (if (i32.load8_u offset=16 (global.get $ret))
    (then
      (global.set $code (i32.add (i32.const 2000) (i32.load8_u offset=24 (global.get $ret))))
      (return (i32.const 0))))
  (i32.load offset=24 (global.get $ret)))

;; The body's stream of a response.
(func $stream (param $response i32) (result i32)
  (call $consume (local.get $response) (global.get $ret))
  (call $body_stream (i32.load offset=4 (global.get $ret)) (global.get $ret))
  (i32.load offset=4 (global.get $ret)))

;; Reads a stream to its end; 0, or the code of its error.
(func $drain (param $stream i32) (result i32)
  (loop $again
    ;; What was read before is not needed.
    (global.set $top (i32.const 65536))
    (call $read (local.get $stream) (i64.const 65536) (global.get $ret))
    (br_if $again (i32.eqz (i32.load8_u (global.get $ret)))))
  ;; `closed` is the second case of a stream's error.
  (if (i32.load8_u offset=4 (global.get $ret)) (then (return (i32.const 0))))
  (call $error_code (i32.load offset=8 (global.get $ret)) (global.get $ret))
  (if (i32.eqz (i32.load8_u (global.get $ret))) (then (return (i32.const 5900))))
  (i32.add (i32.const 5000) (i32.load8_u offset=8 (global.get $ret))))

;; Sends a request and reads the whole response; gives the number for the result.
(func $exchange (param $request i32) (param $with i32) (param $options i32) (result i32)
  (local $it i32) (local $status i32) (local $code i32)
  (local.set $it (call $send (local.get $request) (local.get $with) (local.get $options)))
  (if (i32.eqz (local.get $it)) (then (return (global.get $code))))
  (local.set $it (call $await (local.get $it)))
  (if (i32.eqz (local.get $it)) (then (return (global.get $code))))
  (local.set $status (call $status (local.get $it)))
  (local.set $code (call $drain (call $stream (local.get $it))))
  (if (local.get $code) (then (return (local.get $code))))
  (i32.add (i32.const 3000) (local.get $status)))

(func (export "holm:tool/guest@0.1.0#call")
  (param i32 i32 i32) (param i32 i32) (param $args i32) (param $length i32) (param i32 i32)
  (param i32 i32 i32 i64 i32 i32 i32) (result i32)
  (local $number i32) (local $at i32)
  (global.set $args (local.get $args))
  (global.set $args_length (local.get $length))
  (local.set $number (call $attack))
  ;; Digits, from the last.
  (local.set $at (i32.const 512))
  (loop $digit
    (local.set $at (i32.sub (local.get $at) (i32.const 1)))
    (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
    (local.set $number (i32.div_u (local.get $number) (i32.const 10)))
    (br_if $digit (local.get $number)))
  (memory.fill (i32.const 600) (i32.const 0) (i32.const 88))
  (i32.store offset=8 (i32.const 600) (local.get $at))
  (i32.store offset=12 (i32.const 600) (i32.sub (i32.const 512) (local.get $at)))
  (i32.store offset=16 (i32.const 600) (global.get $printed))
  (i32.store offset=20 (i32.const 600) (global.get $printed_length))
  (i32.store offset=24 (i32.const 600) (global.get $printed))
  (i32.store offset=28 (i32.const 600) (global.get $printed_length))
  (i32.const 600))

(func (export "holm:tool/guest@0.1.0#load")
  (param i32 i32 i32 i32 i32 i64 i32 i32 i32) (result i32)
  (unreachable))

;; What else a guest must have, and nothing here calls.
(func (export "holm:tool/session@0.1.0#evaluate")
  (param i32 i32 i32 i32) (param i32 i32 i32 i64 i32 i32 i32) (result i32)
  (unreachable))
(func (export "holm:tool/session@0.1.0#is-complete")
  (param i32 i32) (param i32 i32 i32 i64 i32 i32 i32) (result i32)
  (unreachable))
(func (export "holm:tool/session@0.1.0#call-for-value")
  (param i32 i32 i32) (param i32 i32) (param i32 i32) (param i32 i32)
  (param i32 i32 i32 i64 i32 i32 i32) (result i32)
  (unreachable))
(func (export "holm:tool/session@0.1.0#run-hook")
  (param i32 i32 i32) (param i32 i32) (param i32 i32)
  (param i32 i32 i32 i64 i32 i32 i32) (result i32)
  (unreachable))
