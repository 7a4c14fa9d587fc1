(define-library (srfi 64)
  (export
    test-begin test-end test-assert test-eqv test-eq test-equal test-approximate test-error
    test-apply test-with-runner test-match-nth test-match-all test-match-any test-match-name
    test-skip test-expect-fail test-read-eval-string test-runner-group-path test-group
    test-group-with-cleanup test-result-ref test-result-set! test-result-clear
    test-result-remove test-result-kind test-passed? test-log-to-file test-runner?
    test-runner-reset test-runner-null test-runner-simple test-runner-current
    test-runner-factory test-runner-get test-runner-create test-runner-test-name
    test-runner-pass-count test-runner-pass-count! test-runner-fail-count
    test-runner-fail-count! test-runner-xpass-count test-runner-xpass-count!
    test-runner-xfail-count test-runner-xfail-count! test-runner-skip-count
    test-runner-skip-count! test-runner-group-stack test-runner-group-stack!
    test-runner-on-test-begin test-runner-on-test-begin! test-runner-on-test-end
    test-runner-on-test-end! test-runner-on-group-begin test-runner-on-group-begin!
    test-runner-on-group-end test-runner-on-group-end! test-runner-on-final
    test-runner-on-final! test-runner-on-bad-count test-runner-on-bad-count!
    test-runner-on-bad-end-name test-runner-on-bad-end-name! test-result-alist
    test-result-alist! test-runner-aux-value test-runner-aux-value! test-on-group-begin-simple
    test-on-group-end-simple test-on-bad-count-simple test-on-bad-end-name-simple
    test-on-final-simple test-on-test-end-simple)
  (import (scheme base) (scheme eval) (scheme read) (scheme write))
  (begin
    (define-record-type test-runner
      (new-runner pass fail xpass xfail skip group-stack result aux skips fails frames run
                  on-test-begin on-test-end on-group-begin on-group-end on-final on-bad-count
                  on-bad-end-name)
      test-runner?
      (pass test-runner-pass-count test-runner-pass-count!)
      (fail test-runner-fail-count test-runner-fail-count!)
      (xpass test-runner-xpass-count test-runner-xpass-count!)
      (xfail test-runner-xfail-count test-runner-xfail-count!)
      (skip test-runner-skip-count test-runner-skip-count!)
      (group-stack test-runner-group-stack test-runner-group-stack!)
      (result test-result-alist test-result-alist!)
      (aux test-runner-aux-value test-runner-aux-value!)
      ;; Specifiers of what is skipped, of what should fail, and a list of them for each open group.
      (skips skips set-skips!)
      (fails fails set-fails!)
      (frames frames set-frames!)
      ;; Which tests `test-apply` runs, or #f for all.
      (run run-specs set-run-specs!)
      (on-test-begin test-runner-on-test-begin test-runner-on-test-begin!)
      (on-test-end test-runner-on-test-end test-runner-on-test-end!)
      (on-group-begin test-runner-on-group-begin test-runner-on-group-begin!)
      (on-group-end test-runner-on-group-end test-runner-on-group-end!)
      (on-final test-runner-on-final test-runner-on-final!)
      (on-bad-count test-runner-on-bad-count test-runner-on-bad-count!)
      (on-bad-end-name test-runner-on-bad-end-name test-runner-on-bad-end-name!))

    (define (ignore . args) #f)
    (define (test-runner-null)
      (new-runner 0 0 0 0 0 '() '() #f '() '() '() #f
                  ignore ignore ignore ignore ignore ignore ignore))
    (define (test-runner-reset r)
      (test-runner-pass-count! r 0)
      (test-runner-fail-count! r 0)
      (test-runner-xpass-count! r 0)
      (test-runner-xfail-count! r 0)
      (test-runner-skip-count! r 0)
      (test-runner-group-stack! r '())
      (test-result-alist! r '())
      (set-skips! r '())
      (set-fails! r '())
      (set-frames! r '())
      (set-run-specs! r #f))

    ;; --- the runner that writes what happens to the current output ---

    (define (line . items)
      (for-each display items)
      (newline))
    (define (test-on-group-begin-simple r name count)
      (if (null? (test-runner-group-stack r)) (line "%%%% Starting test " name)))
    (define (test-on-group-end-simple r) #f)
    (define (test-on-test-end-simple r)
      (let ((kind (test-result-kind r)))
        (if (memq kind '(fail xpass))
            (begin
              (display (if (eq? kind 'fail) "FAIL" "XPASS"))
              (let ((name (test-runner-test-name r)))
                (if (not (equal? name "")) (begin (display " ") (display name))))
              (newline)
              (for-each
                (lambda (key)
                  (let ((e (assq key (test-result-alist r))))
                    (if e
                        (begin
                          (display "  ")
                          (display key)
                          (display ": ")
                          (write (cdr e))
                          (newline)))))
                '(source-form expected-value expected-error actual-value actual-error))))))
    (define (test-on-bad-count-simple r actual expected)
      (line "*** Total number of tests was " actual " but should be " expected ". ***"))
    (define (test-on-bad-end-name-simple r begin-name end-name)
      (error "test-end: the name is not that of test-begin" end-name begin-name))
    (define (test-on-final-simple r)
      (define (report count what)
        (if (> count 0) (line "# of " what " " count)))
      (report (test-runner-pass-count r) "expected passes     ")
      (report (test-runner-xfail-count r) "expected failures   ")
      (report (test-runner-xpass-count r) "unexpected successes")
      (report (test-runner-fail-count r) "unexpected failures ")
      (report (test-runner-skip-count r) "skipped tests       "))
    (define (test-runner-simple)
      (let ((r (test-runner-null)))
        (test-runner-on-group-begin! r test-on-group-begin-simple)
        (test-runner-on-group-end! r test-on-group-end-simple)
        (test-runner-on-test-end! r test-on-test-end-simple)
        (test-runner-on-bad-count! r test-on-bad-count-simple)
        (test-runner-on-bad-end-name! r test-on-bad-end-name-simple)
        (test-runner-on-final! r test-on-final-simple)
        r))
    (define test-runner-current (make-parameter #f))
    (define test-runner-factory (make-parameter test-runner-simple))
    (define (test-runner-create) ((test-runner-factory)))
    ;; A parameter cannot be set from outside, so the runner that `test-begin` makes is kept here.
    (define made #f)
    (define (test-runner-get)
      (or (test-runner-current) made (error "test-runner-get: no test runner")))
    (define test-log-to-file #f)

    ;; --- results ---

    (define (test-result-ref r key . default)
      (let ((e (assq key (test-result-alist r))))
        (cond (e (cdr e)) ((pair? default) (car default)) (else #f))))
    (define (test-result-set! r key x)
      (let ((e (assq key (test-result-alist r))))
        (if e
            (set-cdr! e x)
            (test-result-alist! r (cons (cons key x) (test-result-alist r))))))
    (define (test-result-remove r key)
      (let loop ((l (test-result-alist r)) (out '()))
        (cond ((null? l) (test-result-alist! r (reverse out)))
              ((eq? key (car (car l))) (loop (cdr l) out))
              (else (loop (cdr l) (cons (car l) out))))))
    (define (test-result-clear r) (test-result-alist! r '()))
    (define (runner-of opt) (if (pair? opt) (car opt) (test-runner-get)))
    (define (test-result-kind . r) (test-result-ref (runner-of r) 'result-kind))
    (define (test-passed? . r) (and (memq (apply test-result-kind r) '(pass xpass)) #t))
    (define (test-runner-test-name r) (test-result-ref r 'test-name ""))
    (define (test-runner-group-path r) (reverse (test-runner-group-stack r)))

    ;; --- specifiers: predicates of a runner ---

    (define (test-match-nth n . count)
      (let ((count (if (pair? count) (car count) 1)) (i 0))
        (lambda (r)
          (set! i (+ i 1))
          (and (<= n i) (< i (+ n count))))))
    (define (test-match-name name)
      (lambda (r) (equal? name (test-runner-test-name r))))
    ;; Every part is asked, for parts may count.
    (define (ask specs r) (map (lambda (s) (s r)) specs))
    (define (test-match-all . specs)
      (let ((specs (map specifier specs))) (lambda (r) (not (memq #f (ask specs r))))))
    (define (test-match-any . specs)
      (let ((specs (map specifier specs)))
        (lambda (r) (and (memq #t (map (lambda (x) (and x #t)) (ask specs r))) #t))))
    (define (specifier x)
      (cond ((procedure? x) x)
            ((exact-integer? x) (test-match-nth 1 x))
            ((string? x) (test-match-name x))
            (else (error "not a test specifier" x))))
    (define (test-skip . specs)
      (let ((r (test-runner-get)))
        (set-skips! r (cons (apply test-match-all specs) (skips r)))))
    (define (test-expect-fail . specs)
      (let ((r (test-runner-get)))
        (set-fails! r (cons (apply test-match-all specs) (fails r)))))

    ;; --- groups ---

    (define (total r)
      (+ (test-runner-pass-count r) (test-runner-fail-count r) (test-runner-xpass-count r)
         (test-runner-xfail-count r) (test-runner-skip-count r)))
    (define (test-begin name . count)
      (if (not (or (test-runner-current) made)) (set! made (test-runner-create)))
      (let ((r (test-runner-get)))
        ((test-runner-on-group-begin r) r name (and (pair? count) (car count)))
        (set-frames! r
          (cons (list (skips r) (fails r) (and (pair? count) (car count)) (total r))
                (frames r)))
        (test-runner-group-stack! r (cons name (test-runner-group-stack r)))))
    (define (test-end . name)
      (let ((r (test-runner-get)))
        (if (null? (test-runner-group-stack r)) (error "test-end: no group is open"))
        (let* ((open (car (test-runner-group-stack r))) (frame (car (frames r)))
               (expected (list-ref frame 2)) (actual (- (total r) (list-ref frame 3))))
          (if (and (pair? name) (not (equal? (car name) open)))
              ((test-runner-on-bad-end-name r) r open (car name)))
          (if (and expected (not (= expected actual)))
              ((test-runner-on-bad-count r) r actual expected))
          ((test-runner-on-group-end r) r)
          (set-skips! r (list-ref frame 0))
          (set-fails! r (list-ref frame 1))
          (set-frames! r (cdr (frames r)))
          (test-runner-group-stack! r (cdr (test-runner-group-stack r)))
          (if (null? (test-runner-group-stack r))
              (begin
                ((test-runner-on-final r) r)
                (if (eq? r made) (set! made #f)))))))
    (define-syntax test-group
      (syntax-rules ()
        ((_ name body ...)
         (group name (lambda () (if #f #f) body ...) (lambda () #f)))))
    (define-syntax test-group-with-cleanup
      (syntax-rules ()
        ((_ name body ... cleanup)
         (group name (lambda () (if #f #f) body ...) (lambda () cleanup)))))
    (define (group name body cleanup)
      (if (not (or (test-runner-current) made)) (set! made (test-runner-create)))
      (let ((r (test-runner-get)))
        (test-result-alist! r (list (cons 'test-name name)))
        (if (not (skip? r))
            (dynamic-wind
              (lambda () (test-begin name))
              body
              (lambda () (cleanup) (test-end name))))))

    ;; --- tests ---

    (define (any-of? specs r) (and (memq #t (map (lambda (x) (and x #t)) (ask specs r))) #t))
    (define (skip? r)
      (or (and (run-specs r) (not (any-of? (run-specs r) r)))
          (any-of? (skips r) r)))
    ;; Runs a test: CHECK gives the truth of what THUNK gives, and an error is a failure.
    (define (run-test name form expected thunk check)
      (let ((r (test-runner-get)))
        (test-result-alist! r
          (append (if name (list (cons 'test-name name)) '())
                  (list (cons 'source-form form))
                  expected))
        (let ((skipped (skip? r)) (fail (any-of? (fails r) r)))
          (test-result-set! r 'result-kind (cond (skipped 'skip) (fail 'xfail) (else #f)))
          ((test-runner-on-test-begin r) r)
          (if (not skipped)
              (let ((ok (guard (e (#t (test-result-set! r 'actual-error e) #f))
                          (let ((x (thunk)))
                            (test-result-set! r 'actual-value x)
                            (check x)))))
                (test-result-set! r 'result-kind
                  (cond ((and ok fail) 'xpass) (ok 'pass) (fail 'xfail) (else 'fail)))))
          (finish r))))
    (define (finish r)
      (define-syntax count!
        (syntax-rules () ((_ get set) (set r (+ 1 (get r))))))
      (case (test-result-kind r)
        ((pass) (count! test-runner-pass-count test-runner-pass-count!))
        ((fail) (count! test-runner-fail-count test-runner-fail-count!))
        ((xpass) (count! test-runner-xpass-count test-runner-xpass-count!))
        ((xfail) (count! test-runner-xfail-count test-runner-xfail-count!))
        (else (count! test-runner-skip-count test-runner-skip-count!)))
      ((test-runner-on-test-end r) r))

    (define (identity x) x)
    (define-syntax test-assert
      (syntax-rules ()
        ((_ name expr) (run-test name 'expr '() (lambda () expr) identity))
        ((_ expr) (run-test #f 'expr '() (lambda () expr) identity))))
    (define (compare same? name form expected thunk)
      (run-test name form (list (cons 'expected-value expected)) thunk
                (lambda (x) (same? expected x))))
    (define-syntax define-comparisons
      (syntax-rules ()
        ((_ (test same?) ...)
         (begin
           (define-syntax test
             (syntax-rules ()
               ((_ name expected expr) (compare same? name 'expr expected (lambda () expr)))
               ((_ expected expr) (compare same? #f 'expr expected (lambda () expr)))))
           ...))))
    (define-comparisons (test-eqv eqv?) (test-eq eq?) (test-equal equal?))
    (define (within margin)
      (lambda (expected x)
        (and (>= x (- expected margin)) (<= x (+ expected margin)))))
    (define-syntax test-approximate
      (syntax-rules ()
        ((_ name expected expr margin)
         (compare (within margin) name 'expr expected (lambda () expr)))
        ((_ expected expr margin)
         (compare (within margin) #f 'expr expected (lambda () expr)))))
    ;; The type of the error may be a predicate; #t is any.
    (define (expect-error name form type thunk)
      (run-test name form (list (cons 'expected-error type))
        (lambda ()
          (let ((caught (guard (e (#t (list e))) (thunk) #f)))
            (if caught (test-result-set! (test-runner-get) 'actual-error (car caught)))
            caught))
        (lambda (caught)
          (and caught (if (procedure? type) (type (car caught)) #t)))))
    (define-syntax test-error
      (syntax-rules ()
        ((_ name type expr) (expect-error name 'expr type (lambda () expr)))
        ((_ type expr) (expect-error #f 'expr type (lambda () expr)))
        ((_ expr) (expect-error #f 'expr #t (lambda () expr)))))

    (define-syntax test-with-runner
      (syntax-rules ()
        ((_ runner body ...)
         (parameterize ((test-runner-current runner)) body ...))))
    (define (test-apply first . rest)
      (if (test-runner? first)
          (parameterize ((test-runner-current first)) (apply test-apply rest))
          (let* ((all (reverse (cons first rest)))
                 (thunk (car all)) (specs (map specifier (reverse (cdr all))))
                 (r (or (test-runner-current) made)))
            (if r
                (let ((old (run-specs r)))
                  (set-run-specs! r (if (null? specs) #f specs))
                  (thunk)
                  (set-run-specs! r old))
                (let ((r (test-runner-create)))
                  (parameterize ((test-runner-current r))
                    (set-run-specs! r (if (null? specs) #f specs))
                    (thunk)
                    ((test-runner-on-final r) r)))))))
    (define (test-read-eval-string s)
      (let* ((port (open-input-string s)) (form (read port)))
        (if (not (eof-object? (read port)))
            (error "test-read-eval-string: more than one form" s))
        (eval form (environment '(scheme base)))))))
