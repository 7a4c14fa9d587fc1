;; Calendar time as the C library names it. The time zone is UTC.
(define-library (chibi time)
  (export
    current-seconds get-time-of-day set-time-of-day! seconds->time seconds->string
    time->seconds time->string make-timeval make-tm timeval-seconds timeval-microseconds
    timezone-offset timezone-dst-time time-second time-minute time-hour time-day time-month
    time-year time-day-of-week time-day-of-year time-dst? tm? timeval? timezone?
    rusage? resource-usage-time resource-usage-system-time resource-usage-max-rss
    resource-usage/self resource-usage/children get-resource-usage)
  (import (scheme base) (only (scheme time) current-second current-jiffy jiffies-per-second))
  (begin
    (define-record-type timeval
      (make-timeval seconds microseconds)
      timeval?
      (seconds timeval-seconds)
      (microseconds timeval-microseconds))

    (define-record-type timezone
      (make-timezone offset dst)
      timezone?
      (offset timezone-offset)
      (dst timezone-dst-time))

    ;; Months count from 0 and years from 1900.
    (define-record-type tm
      (new-tm second minute hour day month year weekday yearday dst?)
      tm?
      (second time-second)
      (minute time-minute)
      (hour time-hour)
      (day time-day)
      (month time-month)
      (year time-year)
      (weekday time-day-of-week)
      (yearday time-day-of-year)
      (dst? time-dst?))

    (define (current-seconds) (exact (floor (current-second))))

    (define (get-time-of-day)
      (let* ((now (exact (current-second))) (seconds (floor now)))
        (list (make-timeval seconds (exact (floor (* 1000000 (- now seconds)))))
              (make-timezone 0 0))))

    (define (set-time-of-day! . args)
      (error "[sandbox:chibi/time] set-time-of-day! not available"))

    ;; --- days of the proleptic Gregorian calendar, counted from 1 January 1970 ---

    ;; Years begin in March here, so that the leap day is the last one.
    (define (days-from-civil year month day)
      (let* ((y (if (<= month 2) (- year 1) year))
             (era (floor-quotient y 400))
             (yoe (- y (* era 400)))
             (doy (+ (quotient (+ (* 153 (+ month (if (> month 2) -3 9))) 2) 5) (- day 1)))
             (doe (+ (* yoe 365) (quotient yoe 4) (- (quotient yoe 100)) doy)))
        (+ (* era 146097) doe -719468)))

    ;; Calls PROC with year, month from 1, and day.
    (define (civil-from-days days proc)
      (let* ((z (+ days 719468))
             (era (floor-quotient z 146097))
             (doe (- z (* era 146097)))
             (yoe (quotient (- doe (quotient doe 1460) (- (quotient doe 36524)) (quotient doe 146096)) 365))
             (doy (- doe (- (+ (* 365 yoe) (quotient yoe 4)) (quotient yoe 100))))
             (mp (quotient (+ (* 5 doy) 2) 153))
             (day (+ 1 (- doy (quotient (+ (* 153 mp) 2) 5))))
             (month (if (< mp 10) (+ mp 3) (- mp 9)))
             (year (+ yoe (* era 400) (if (<= month 2) 1 0))))
        (proc year month day)))

    (define (seconds->time seconds)
      (let* ((seconds (exact (floor seconds)))
             (days (floor-quotient seconds 86400))
             (rest (- seconds (* days 86400))))
        (civil-from-days days
          (lambda (year month day)
            (new-tm (remainder rest 60) (remainder (quotient rest 60) 60) (quotient rest 3600)
                    day (- month 1) (- year 1900)
                    (floor-remainder (+ 4 days) 7)
                    (- days (days-from-civil year 1 1))
                    #f)))))

    ;; Values out of range carry over, as in mktime.
    (define (time->seconds t)
      (let* ((months (time-month t))
             (year (+ 1900 (time-year t) (floor-quotient months 12)))
             (month (+ 1 (floor-remainder months 12))))
        (+ (* 86400 (+ (days-from-civil year month 1) (- (time-day t) 1)))
           (* 3600 (time-hour t))
           (* 60 (time-minute t))
           (time-second t))))

    ;; (make-tm second minute hour day month year [dst?])
    (define (make-tm second minute hour day month year . dst?)
      (let ((t (seconds->time (time->seconds (new-tm second minute hour day month year 0 0 #f)))))
        (new-tm second minute hour day month year (time-day-of-week t) (time-day-of-year t)
                (and (pair? dst?) (car dst?)))))

    (define weekdays #("Sun" "Mon" "Tue" "Wed" "Thu" "Fri" "Sat"))
    (define months
      #("Jan" "Feb" "Mar" "Apr" "May" "Jun" "Jul" "Aug" "Sep" "Oct" "Nov" "Dec"))

    (define (pad n c width)
      (let ((s (number->string n)))
        (string-append (make-string (max 0 (- width (string-length s))) c) s)))

    ;; As asctime, with its newline.
    (define (time->string t)
      (string-append
        (vector-ref weekdays (time-day-of-week t)) " "
        (vector-ref months (time-month t)) " "
        (pad (time-day t) #\space 2) " "
        (pad (time-hour t) #\0 2) ":" (pad (time-minute t) #\0 2) ":" (pad (time-second t) #\0 2) " "
        (number->string (+ 1900 (time-year t))) "\n"))

    (define (seconds->string seconds) (time->string (seconds->time seconds)))

    ;; --- what the program has used: its time by the clock; the rest is not known here ---

    (define-record-type rusage
      (make-rusage time system-time max-rss)
      rusage?
      (time resource-usage-time)
      (system-time resource-usage-system-time)
      (max-rss resource-usage-max-rss))

    (define resource-usage/self 0)
    (define resource-usage/children -1)

    (define (get-resource-usage . who)
      (let* ((microseconds
              (if (and (pair? who) (eqv? (car who) resource-usage/children))
                  0
                  (quotient (* 1000000 (current-jiffy)) (jiffies-per-second)))))
        (make-rusage (make-timeval (quotient microseconds 1000000) (remainder microseconds 1000000))
                     (make-timeval 0 0)
                     0)))))
