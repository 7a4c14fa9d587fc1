; import (tein time)
; import (tein process)
; (tein time), (tein process)

jiffies-per-second => 1000000000

(exact-integer? (timezone-offset-seconds)) => #t

(current-process-id) => 0

(system "true") =>error [sandbox:process] system: not permitted in sandbox

(exit 7) => #<exit 7>
