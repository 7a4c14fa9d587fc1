; import (srfi 19)
; SRFI 19: times and dates

(define (t type s . ns) (make-time type (if (pair? ns) (car ns) 0) s))
(let ((x (t time-utc 5 7))) (list (time? x) (time? 1) (time-type x) (time-second x) (time-nanosecond x))) => (#t #f time-utc 5 7)

(let ((x (make-time time-duration 2500000000 1))) (list (time-second x) (time-nanosecond x))) => (3 500000000)

(let ((x (make-time time-duration -1 0))) (list (time-second x) (time-nanosecond x))) => (-1 999999999)

(make-time 'tea 0 0) =>error make-time: not a type of time

(let* ((x (t time-utc 5)) (y (copy-time x))) (set-time-second! y 6) (set-time-nanosecond! y 1) (set-time-type! y time-tai) (list (time-second x) (time-second y) (time-nanosecond y) (time-type y))) => (5 6 1 time-tai)

(list (time-type (current-time)) (time-type (current-time time-tai)) (time-type (current-time time-monotonic)) (exact-integer? (time-resolution)) (<= 0 (time-second (current-time))) (date? (current-date)) (< 2440587 (current-julian-day)) (<= 40587 (current-modified-julian-day))) => (time-utc time-tai time-monotonic #t #t #t #t #t)

(current-time time-process) =>error unsupported type of time

(current-time time-thread) =>error unsupported type of time

(list (time=? (t time-utc 1) (t time-utc 1)) (time<? (t time-utc 1) (t time-utc 1 1)) (time>? (t time-utc 1) (t time-utc 2)) (time<=? (t time-utc 1) (t time-utc 1)) (time>=? (t time-utc 0) (t time-utc 1))) => (#t #t #f #t #f)

(time<? (t time-utc 1) (t time-tai 2)) =>error time<?: different types of time

(let ((d (time-difference (t time-utc 10) (t time-utc 7 500000000)))) (list (time-type d) (time-second d) (time-nanosecond d))) => (time-duration 2 500000000)

(let ((d (t time-duration 3))) (list (time-second (add-duration (t time-utc 10) d)) (time-second (subtract-duration (t time-utc 10) d)) (time-type (add-duration! (t time-tai 1) d)))) => (13 7 time-tai)

(add-duration (t time-utc 1) (t time-utc 1)) =>error add-duration: not a duration

; The leap second at the end of 2016.
(map (lambda (s) (time-second (time-utc->time-tai (t time-utc s)))) '(0 1483228799 1483228800)) => (0 1483228835 1483228837)

(map (lambda (s) (time-second (time-tai->time-utc (t time-tai s)))) '(1483228835 1483228836 1483228837)) => (1483228799 1483228800 1483228800)

(map (lambda (s) (date->string (time-tai->date (t time-tai s) 0) "~4")) '(1483228835 1483228836 1483228837)) => ("2016-12-31T23:59:59Z" "2016-12-31T23:59:60Z" "2017-01-01T00:00:00Z")

(time-utc->time-tai (t time-tai 1)) =>error time-utc->time-tai: wrong type of time

(list (time-second (time-tai->time-monotonic (t time-tai 5))) (time-type (time-monotonic->time-utc (time-utc->time-monotonic (t time-utc 5)))) (time-second (time-monotonic->time-tai (t time-monotonic 5)))) => (5 time-utc 5)

(define d (make-date 0 5 4 3 2 1 2024 0))
(list (date-nanosecond d) (date-second d) (date-minute d) (date-hour d) (date-day d) (date-month d) (date-year d) (date-zone-offset d) (date-year-day d) (date-week-day d)) => (0 5 4 3 2 1 2024 0 2 2)

(define (parts d) (list (date-year d) (date-month d) (date-day d) (date-hour d) (date-minute d) (date-second d)))
(map (lambda (s) (parts (time-utc->date (t time-utc s) 0))) '(0 951782400 1709164800 -1 -2208988800 4102444799)) => ((1970 1 1 0 0 0) (2000 2 29 0 0 0) (2024 2 29 0 0 0) (1969 12 31 23 59 59) (1900 1 1 0 0 0) (2099 12 31 23 59 59))

(parts (time-utc->date (t time-utc 0) -18000)) => (1969 12 31 19 0 0)

(let loop ((s -3000000000) (ok #t)) (if (> s 5000000000) ok (loop (+ s 86398799) (and ok (= s (time-second (date->time-utc (time-utc->date (t time-utc s) 3600)))))))) => #t

(list (date-year-day (make-date 0 0 0 0 31 12 2024 0)) (date-week-day (make-date 0 0 0 0 1 1 2000 0)) (date-week-number (make-date 0 0 0 0 1 1 2023 0) 0) (date-week-number (make-date 0 0 0 0 1 1 2023 0) 1) (date-week-number (make-date 0 0 0 0 31 12 2023 0) 1)) => (366 6 1 0 52)

(list (date->julian-day (make-date 0 0 0 12 1 1 2000 0)) (date->modified-julian-day (make-date 0 0 0 0 17 11 1858 0)) (parts (julian-day->date 2451545 0)) (parts (modified-julian-day->date 0 0)) (time-second (julian-day->time-utc 4881175/2)) (time-utc->julian-day (t time-utc 43200))) => (2451545 0 (2000 1 1 12 0 0) (1858 11 17 0 0 0) 0 2440588)

(list (time-tai->julian-day (date->time-tai (make-date 0 0 0 12 1 1 2000 0))) (time-monotonic->modified-julian-day (date->time-monotonic (make-date 0 0 0 0 1 1 2000 0))) (time-second (modified-julian-day->time-tai 51544))) => (2451545 51544 946684832)

(define x (make-date 123456000 9 8 17 3 4 2005 -19800))
(map (lambda (f) (date->string x f)) '("~a ~A ~b ~B ~h" "~d|~e|~H|~I|~k|~l|~m|~M|~S" "~D ~T ~r ~p" "~j ~U ~V ~w ~W ~y ~Y" "~N ~f ~s ~z ~~~n~t." "~1 ~2 ~3 ~4 ~5" "~x ~X" "~c")) => ("Sun Sunday Apr April Apr" "03| 3|17|05|17| 5|04|08|09" "04/03/05 17:08:09 05:08:09 PM PM" "093 14 13 0 13 05 2005" "123456000 09.123456 1112567889 -0530 ~\n\t." "2005-04-03 17:08:09-0530 17:08:09 2005-04-03T17:08:09-0530 2005-04-03T17:08:09" "04/03/05 17:08:09" "Sun Apr 03 17:08:09-0530 2005")

(date->string x) => "Sun Apr 03 17:08:09-0530 2005"

(date->string x "~q") =>error date->string: unknown directive

(date->string x "a~") =>error date->string: a ~ at the end

(map (lambda (y) (date->string (make-date 0 0 0 0 y 1 2021 0) "~V")) '(1 3 4)) => ("53" "53" "01")

(parts (string->date "2024-02-29 13:14:15" "~Y-~m-~d ~H:~M:~S")) => (2024 2 29 13 14 15)

(let ((d (string->date "Sunday, 3 april 2005 at 17:08 +05:30" "~A, ~e ~B ~Y at ~H:~M ~z"))) (list (parts d) (date-zone-offset d))) => ((2005 4 3 17 8 0) 19800)

(let ((d (string->date "20240229T131415Z" "~YT"))) d) =>error the text is not as the template says

(let ((d (string->date "Feb 1 1999 Z" "~b ~d ~Y ~z"))) (list (parts d) (date-zone-offset d))) => ((1999 2 1 0 0 0) 0)

(string->date "2023-02-29" "~Y-~m-~d") =>error the text is not as the template says

(string->date "2023" "~Y") =>error the text is not as the template says

(string->date "x" "~Q") =>error string->date: unknown directive
