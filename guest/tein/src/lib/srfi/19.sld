;; Times are seconds and nanoseconds. International atomic time is ahead of universal time by a
;; table of leap seconds; monotonic time is atomic time here.
(define-library (srfi 19)
  (export
    time-duration time-monotonic time-process time-tai time-thread time-utc current-date
    current-julian-day current-modified-julian-day current-time time-resolution make-time time?
    time-type time-nanosecond time-second set-time-type! set-time-nanosecond! set-time-second!
    copy-time time<=? time<? time=? time>=? time>? time-difference
    (rename time-difference time-difference!) add-duration (rename add-duration add-duration!)
    subtract-duration (rename subtract-duration subtract-duration!) make-date date?
    date-nanosecond date-second date-minute date-hour date-day date-month date-year
    date-zone-offset date-year-day date-week-day date-week-number date->julian-day
    date->modified-julian-day date->time-monotonic date->time-tai date->time-utc
    julian-day->date julian-day->time-monotonic julian-day->time-tai julian-day->time-utc
    modified-julian-day->date modified-julian-day->time-monotonic
    modified-julian-day->time-tai modified-julian-day->time-utc time-monotonic->date
    time-monotonic->julian-day time-monotonic->modified-julian-day time-monotonic->time-tai
    (rename time-monotonic->time-tai time-monotonic->time-tai!) time-monotonic->time-utc
    (rename time-monotonic->time-utc time-monotonic->time-utc!) time-tai->date
    time-tai->julian-day time-tai->modified-julian-day time-tai->time-monotonic
    (rename time-tai->time-monotonic time-tai->time-monotonic!) time-tai->time-utc
    (rename time-tai->time-utc time-tai->time-utc!) time-utc->date time-utc->julian-day
    time-utc->modified-julian-day time-utc->time-monotonic
    (rename time-utc->time-monotonic time-utc->time-monotonic!) time-utc->time-tai
    (rename time-utc->time-tai time-utc->time-tai!) date->string string->date)
  (import (scheme base) (scheme char) (only (tein time) current-second timezone-offset-seconds))
  (begin
    (define time-duration 'time-duration)
    (define time-monotonic 'time-monotonic)
    (define time-process 'time-process)
    (define time-tai 'time-tai)
    (define time-thread 'time-thread)
    (define time-utc 'time-utc)

    (define-record-type time
      (new-time type nanosecond second)
      time?
      (type time-type set-time-type!)
      (nanosecond time-nanosecond set-time-nanosecond!)
      (second time-second set-time-second!))
    (define billion 1000000000)
    ;; The nanoseconds are from zero to below a second, as the seconds round down.
    (define (make-time type nanosecond second)
      (if (not (memq type '(time-duration time-monotonic time-process time-tai time-thread
                            time-utc)))
          (error "make-time: not a type of time" type))
      (if (not (and (exact-integer? nanosecond) (exact-integer? second)))
          (error "make-time: not exact integers" nanosecond second))
      (from-nanoseconds type (+ nanosecond (* billion second))))
    (define (from-nanoseconds type n)
      (call-with-values (lambda () (floor/ n billion)) (lambda (s ns) (new-time type ns s))))
    (define (nanoseconds t) (+ (time-nanosecond t) (* billion (time-second t))))
    (define (copy-time t) (new-time (time-type t) (time-nanosecond t) (time-second t)))

    ;; Seconds of universal time at which the difference to atomic time became what follows.
    (define leaps
      '((1483228800 . 37) (1435708800 . 36) (1341100800 . 35) (1230768000 . 34)
        (1136073600 . 33) (915148800 . 32) (867715200 . 31) (820454400 . 30) (773020800 . 29)
        (741484800 . 28) (709948800 . 27) (662688000 . 26) (631152000 . 25) (567993600 . 24)
        (489024000 . 23) (425865600 . 22) (394329600 . 21) (362793600 . 20) (315532800 . 19)
        (283996800 . 18) (252460800 . 17) (220924800 . 16) (189302400 . 15) (157766400 . 14)
        (126230400 . 13) (94694400 . 12) (78796800 . 11) (63072000 . 10)))
    (define (utc->tai s)
      (let loop ((l leaps))
        (cond ((null? l) s) ((>= s (car (car l))) (+ s (cdr (car l)))) (else (loop (cdr l))))))
    (define (tai->utc s)
      (let loop ((l leaps))
        (cond ((null? l) s)
              ((>= (- s (cdr (car l))) (car (car l))) (- s (cdr (car l))))
              ;; The leap second itself is the first of the next day again.
              ((= (+ 1 (- s (cdr (car l)))) (car (car l))) (car (car l)))
              (else (loop (cdr l))))))

    (define (current-time . type)
      (let ((type (if (pair? type) (car type) time-utc))
            (now (from-nanoseconds time-utc
                   (exact (round (* billion (exact (current-second))))))))
        (case type
          ((time-utc) now)
          ((time-tai) (time-utc->time-tai now))
          ((time-monotonic) (time-utc->time-monotonic now))
          (else (error "current-time: unsupported type of time" type)))))
    (define (time-resolution . type)
      (if (and (pair? type) (not (memq (car type) '(time-utc time-tai time-monotonic))))
          (error "time-resolution: unsupported type of time" (car type)))
      1000)

    ;; --- arithmetic ---

    (define (same-type who a b)
      (if (not (eq? (time-type a) (time-type b)))
          (error (string-append who ": different types of time") (time-type a) (time-type b))))
    (define-syntax define-comparisons
      (syntax-rules ()
        ((_ (name compare) ...)
         (begin
           (define (name a b)
             (same-type (symbol->string 'name) a b)
             (compare (nanoseconds a) (nanoseconds b)))
           ...))))
    (define-comparisons (time=? =) (time<? <) (time>? >) (time<=? <=) (time>=? >=))
    (define (time-difference a b)
      (same-type "time-difference" a b)
      (from-nanoseconds time-duration (- (nanoseconds a) (nanoseconds b))))
    (define (check-duration who d)
      (if (not (and (time? d) (eq? (time-type d) time-duration)))
          (error (string-append who ": not a duration") d)))
    (define (add-duration t d)
      (check-duration "add-duration" d)
      (from-nanoseconds (time-type t) (+ (nanoseconds t) (nanoseconds d))))
    (define (subtract-duration t d)
      (check-duration "subtract-duration" d)
      (from-nanoseconds (time-type t) (- (nanoseconds t) (nanoseconds d))))

    (define-syntax define-conversions
      (syntax-rules ()
        ((_ (name from to convert) ...)
         (begin
           (define (name t)
             (if (not (eq? (time-type t) from))
                 (error (string-append (symbol->string 'name) ": wrong type of time")
                        (time-type t)))
             (new-time to (time-nanosecond t) (convert (time-second t))))
           ...))))
    (define (same s) s)
    (define-conversions
      (time-utc->time-tai time-utc time-tai utc->tai)
      (time-utc->time-monotonic time-utc time-monotonic utc->tai)
      (time-tai->time-utc time-tai time-utc tai->utc)
      (time-tai->time-monotonic time-tai time-monotonic same)
      (time-monotonic->time-utc time-monotonic time-utc tai->utc)
      (time-monotonic->time-tai time-monotonic time-tai same))

    ;; --- dates ---

    (define-record-type date
      (make-date nanosecond second minute hour day month year zone-offset)
      date?
      (nanosecond date-nanosecond) (second date-second) (minute date-minute) (hour date-hour)
      (day date-day) (month date-month) (year date-year) (zone-offset date-zone-offset))

    ;; Days since the first of January 1970, of a year that begins in March.
    (define (days year month day)
      (let* ((y (if (<= month 2) (- year 1) year))
             (m (modulo (- month 3) 12))
             (era (floor-quotient y 400))
             (of-era (- y (* era 400)))
             (of-year (+ (quotient (+ (* 153 m) 2) 5) (- day 1))))
        (+ (* era 146097) (* of-era 365) (quotient of-era 4) (- (quotient of-era 100)) of-year
           -719468)))
    ;; RECEIVER gets year, month and day.
    (define (civil n receiver)
      (let* ((n (+ n 719468))
             (era (floor-quotient n 146097))
             (d (- n (* era 146097)))
             (y (quotient (- d (quotient d 1460) (- (quotient d 36524)) (quotient d 146096)) 365))
             (of-year (- d (- (+ (* 365 y) (quotient y 4)) (quotient y 100))))
             (m (quotient (+ (* 5 of-year) 2) 153))
             (month (if (< m 10) (+ m 3) (- m 9))))
        (receiver (+ y (* era 400) (if (<= month 2) 1 0))
                  month
                  (+ 1 (- of-year (quotient (+ (* 153 m) 2) 5))))))

    (define (date->days d) (days (date-year d) (date-month d) (date-day d)))
    (define (date-year-day d) (+ 1 (- (date->days d) (days (date-year d) 1 1))))
    (define (date-week-day d) (modulo (+ 4 (date->days d)) 7))
    ;; Weeks that begin on the given day, a part of one at the start of the year being week 0.
    (define (date-week-number d first-day)
      (let* ((new-year (modulo (+ 4 (days (date-year d) 1 1)) 7))
             (lead (modulo (- first-day new-year) 7)))
        (floor-quotient (+ (- (date-year-day d) 1 lead) 7) 7)))
    ;; Of ISO 8601: the week that has the Thursday.
    (define (iso-week d)
      (let* ((n (date->days d))
             (thursday (+ n (- 3 (modulo (+ n 3) 7)))))
        (civil thursday
          (lambda (year month day) (+ 1 (quotient (- thursday (days year 1 1)) 7))))))

    (define (date->time-utc d)
      (new-time time-utc (date-nanosecond d)
        (+ (* 86400 (date->days d)) (* 3600 (date-hour d)) (* 60 (date-minute d))
           (date-second d) (- (date-zone-offset d)))))
    (define (zone opt) (if (pair? opt) (car opt) (timezone-offset-seconds)))
    (define (time-utc->date t . opt)
      (if (not (eq? (time-type t) time-utc))
          (error "time-utc->date: wrong type of time" (time-type t)))
      (let* ((offset (zone opt)) (s (+ (time-second t) offset)))
        (call-with-values (lambda () (floor/ s 86400))
          (lambda (n rest)
            (civil n
              (lambda (year month day)
                (make-date (time-nanosecond t) (modulo rest 60) (modulo (quotient rest 60) 60)
                           (quotient rest 3600) day month year offset)))))))
    (define (date->time-tai d) (time-utc->time-tai (date->time-utc d)))
    (define (date->time-monotonic d) (time-utc->time-monotonic (date->time-utc d)))
    ;; In a leap second universal time shows the next day's first second; a date shows the sixtieth.
    (define (tai-date t to-utc opt)
      (let* ((s (time-second t)) (leap (and (not (= s (utc->tai (tai->utc s)))) 1)))
        (if leap
            (let ((d (apply time-utc->date
                            (new-time time-utc (time-nanosecond t) (- (tai->utc s) 1)) opt)))
              (make-date (date-nanosecond d) 60 (date-minute d) (date-hour d) (date-day d)
                         (date-month d) (date-year d) (date-zone-offset d)))
            (apply time-utc->date (to-utc t) opt))))
    (define (time-tai->date t . opt) (tai-date t time-tai->time-utc opt))
    (define (time-monotonic->date t . opt) (tai-date t time-monotonic->time-utc opt))
    (define (current-date . opt) (apply time-utc->date (current-time) opt))

    ;; --- Julian days, exact; they begin at noon ---

    (define epoch (+ 2440587 1/2))
    (define modified 4800001/2)
    (define (time-utc->julian-day t) (+ epoch (/ (nanoseconds t) (* 86400 billion))))
    (define (julian-day->time-utc jd)
      (from-nanoseconds time-utc (round (* (- (exact jd) epoch) 86400 billion))))
    (define (date->julian-day d) (time-utc->julian-day (date->time-utc d)))
    (define (date->modified-julian-day d) (- (date->julian-day d) modified))
    (define (time-utc->modified-julian-day t) (- (time-utc->julian-day t) modified))
    (define (time-tai->julian-day t) (time-utc->julian-day (time-tai->time-utc t)))
    (define (time-tai->modified-julian-day t) (- (time-tai->julian-day t) modified))
    (define (time-monotonic->julian-day t) (time-utc->julian-day (time-monotonic->time-utc t)))
    (define (time-monotonic->modified-julian-day t) (- (time-monotonic->julian-day t) modified))
    (define (julian-day->time-tai jd) (time-utc->time-tai (julian-day->time-utc jd)))
    (define (julian-day->time-monotonic jd)
      (time-utc->time-monotonic (julian-day->time-utc jd)))
    (define (julian-day->date jd . opt) (apply time-utc->date (julian-day->time-utc jd) opt))
    (define (modified-julian-day->time-utc n) (julian-day->time-utc (+ n modified)))
    (define (modified-julian-day->time-tai n) (julian-day->time-tai (+ n modified)))
    (define (modified-julian-day->time-monotonic n)
      (julian-day->time-monotonic (+ n modified)))
    (define (modified-julian-day->date n . opt) (apply julian-day->date (+ n modified) opt))
    (define (current-julian-day) (time-utc->julian-day (current-time)))
    (define (current-modified-julian-day) (time-utc->modified-julian-day (current-time)))

    ;; --- text ---

    (define weekdays
      '#("Sunday" "Monday" "Tuesday" "Wednesday" "Thursday" "Friday" "Saturday"))
    (define months
      '#("January" "February" "March" "April" "May" "June" "July" "August" "September"
         "October" "November" "December"))
    (define (short s) (substring s 0 3))

    (define (padded n c width)
      (let ((s (number->string n)))
        (string-append (make-string (max 0 (- width (string-length s))) c) s)))
    (define (zone-text offset)
      (if (= offset 0)
          "Z"
          (let ((n (abs offset)))
            (string-append (if (< offset 0) "-" "+") (padded (quotient n 3600) #\0 2)
                           (padded (quotient (modulo n 3600) 60) #\0 2)))))
    ;; Seconds with their fraction, without zeros at its end.
    (define (second-text d)
      (let ((ns (date-nanosecond d)) (s (padded (date-second d) #\0 2)))
        (if (= ns 0)
            s
            (let loop ((f (padded ns #\0 9)))
              (let ((last (- (string-length f) 1)))
                (if (char=? (string-ref f last) #\0)
                    (loop (substring f 0 last))
                    (string-append s "." f)))))))

    (define (date->string d . opt)
      (let* ((format (if (pair? opt) (car opt) "~c")) (n (string-length format))
             (out (open-output-string)))
        (let loop ((i 0))
          (cond ((= i n) (get-output-string out))
                ((not (char=? (string-ref format i) #\~))
                 (write-char (string-ref format i) out)
                 (loop (+ i 1)))
                ((= (+ i 1) n) (error "date->string: a ~ at the end" format))
                (else
                 (write-string (directive d (string-ref format (+ i 1)) format) out)
                 (loop (+ i 2)))))))
    (define (hour12 d) (let ((h (modulo (date-hour d) 12))) (if (= h 0) 12 h)))
    (define (directive d c format)
      (define (two n) (padded n #\0 2))
      (case c
        ((#\~) "~")
        ((#\a) (short (vector-ref weekdays (date-week-day d))))
        ((#\A) (vector-ref weekdays (date-week-day d)))
        ((#\b #\h) (short (vector-ref months (- (date-month d) 1))))
        ((#\B) (vector-ref months (- (date-month d) 1)))
        ((#\c) (date->string d "~a ~b ~d ~H:~M:~S~z ~Y"))
        ((#\d) (two (date-day d)))
        ((#\D) (date->string d "~m/~d/~y"))
        ((#\e) (padded (date-day d) #\space 2))
        ((#\f) (second-text d))
        ((#\H) (two (date-hour d)))
        ((#\I) (two (hour12 d)))
        ((#\j) (padded (date-year-day d) #\0 3))
        ((#\k) (padded (date-hour d) #\space 2))
        ((#\l) (padded (hour12 d) #\space 2))
        ((#\m) (two (date-month d)))
        ((#\M) (two (date-minute d)))
        ((#\n) "\n")
        ((#\N) (padded (date-nanosecond d) #\0 9))
        ((#\p) (if (< (date-hour d) 12) "AM" "PM"))
        ((#\r) (date->string d "~I:~M:~S ~p"))
        ((#\s) (number->string (time-second (date->time-utc d))))
        ((#\S) (two (date-second d)))
        ((#\t) "\t")
        ((#\T #\X) (date->string d "~H:~M:~S"))
        ((#\U) (two (date-week-number d 0)))
        ((#\V) (two (iso-week d)))
        ((#\w) (number->string (date-week-day d)))
        ((#\W) (two (date-week-number d 1)))
        ((#\x) (date->string d "~m/~d/~y"))
        ((#\y) (two (modulo (date-year d) 100)))
        ((#\Y) (number->string (date-year d)))
        ((#\z) (zone-text (date-zone-offset d)))
        ((#\1) (date->string d "~Y-~m-~d"))
        ((#\2) (date->string d "~H:~M:~S~z"))
        ((#\3) (date->string d "~H:~M:~S"))
        ((#\4) (date->string d "~Y-~m-~dT~H:~M:~S~z"))
        ((#\5) (date->string d "~Y-~m-~dT~H:~M:~S"))
        (else (error "date->string: unknown directive" c format))))

    (define (string->date s template)
      (define n (string-length s))
      (define at 0)
      (define fields (list (cons 'zone (timezone-offset-seconds))))
      (define (fail) (error "string->date: the text is not as the template says" s template))
      (define (peek) (if (< at n) (string-ref s at) (fail)))
      (define (next) (let ((c (peek))) (set! at (+ at 1)) c))
      (define (set key x) (set! fields (cons (cons key x) fields)))
      (define (skip-until ok?) (if (not (ok? (peek))) (begin (next) (skip-until ok?))))
      (define (digit c) (or (digit-value c) (fail)))
      (define (number most)
        (let loop ((x (digit (next))) (count 1))
          (if (and (< count most) (< at n) (char-numeric? (string-ref s at)))
              (loop (+ (* 10 x) (digit (next))) (+ count 1))
              x)))
      (define (name-in names shorten)
        (let loop ((i 0))
          (if (= i (vector-length names))
              (fail)
              (let* ((name (shorten (vector-ref names i))) (end (+ at (string-length name))))
                (if (and (<= end n) (string-ci=? name (substring s at end)))
                    (begin (set! at end) i)
                    (loop (+ i 1)))))))
      (define (read-zone)
        (let ((c (next)))
          (case c
            ((#\Z #\z) 0)
            ((#\+ #\-)
             (let* ((h1 (digit (next))) (h2 (digit (next)))
                    (colon (if (and (< at n) (char=? (string-ref s at) #\:)) (next)))
                    (m1 (digit (next))) (m2 (digit (next)))
                    (offset (+ (* 3600 (+ (* 10 h1) h2)) (* 60 (+ (* 10 m1) m2)))))
               (if (char=? c #\-) (- offset) offset)))
            (else (fail)))))
      ;; Years of two digits are those within fifty years of now.
      (define (full-year y)
        (let* ((now (date-year (current-date 0))) (guess (+ y (- now (modulo now 100)))))
          (cond ((> guess (+ now 50)) (- guess 100))
                ((<= guess (- now 50)) (+ guess 100))
                (else guess))))
      (define (take c)
        (case c
          ((#\~) (if (not (char=? (next) #\~)) (fail)))
          ((#\a) (skip-until char-alphabetic?) (name-in weekdays short))
          ((#\A) (skip-until char-alphabetic?) (name-in weekdays (lambda (x) x)))
          ((#\b #\h) (skip-until char-alphabetic?) (set 'month (+ 1 (name-in months short))))
          ((#\B) (skip-until char-alphabetic?)
                 (set 'month (+ 1 (name-in months (lambda (x) x)))))
          ((#\d) (skip-until char-numeric?) (set 'day (number 2)))
          ((#\e) (skip-until char-numeric?) (set 'day (number 2)))
          ((#\H #\k) (skip-until char-numeric?) (set 'hour (number 2)))
          ((#\m) (skip-until char-numeric?) (set 'month (number 2)))
          ((#\M) (skip-until char-numeric?) (set 'minute (number 2)))
          ((#\S) (skip-until char-numeric?) (set 'second (number 2)))
          ((#\N) (skip-until char-numeric?) (set 'nanosecond (number 9)))
          ((#\y) (skip-until char-numeric?) (set 'year (full-year (number 2))))
          ((#\Y) (skip-until char-numeric?) (set 'year (number 9)))
          ((#\z) (skip-until (lambda (c) (memv c '(#\Z #\z #\+ #\-)))) (set 'zone (read-zone)))
          (else (error "string->date: unknown directive" c template))))
      (let loop ((i 0))
        (if (< i (string-length template))
            (let ((c (string-ref template i)))
              (if (and (char=? c #\~) (< (+ i 1) (string-length template)))
                  (begin (take (string-ref template (+ i 1))) (loop (+ i 2)))
                  (if (char=? c (next)) (loop (+ i 1)) (fail))))))
      (let ((get (lambda (key default)
                   (let ((e (assq key fields)))
                     (cond (e (cdr e)) (default default) (else (fail)))))))
        (let* ((year (get 'year #f)) (month (get 'month #f)) (day (get 'day #f))
               (hour (get 'hour 0)) (minute (get 'minute 0)) (second (get 'second 0)))
          (if (not (and (<= 1 month 12) (<= 1 day 31) (<= hour 24) (<= minute 59) (<= second 60)
                        (civil (days year month day) (lambda (y m d) (= m month)))))
              (fail))
          (make-date (get 'nanosecond 0) second minute hour day month year (get 'zone 0)))))))
