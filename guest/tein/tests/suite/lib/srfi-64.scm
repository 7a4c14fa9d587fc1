; import (srfi 64)
; SRFI 64: test suites

(begin (test-begin "group" 3) (test-assert (= 1 1)) (test-equal '(1 2) (list 1 2)) (test-eqv "named" 1 2) (test-end "group")) =>output %%%% Starting test group\nFAIL named\n  source-form: 2\n  expected-value: 1\n  actual-value: 2\n# of expected passes      2\n# of unexpected failures  1\n

(define (counts r) (map (lambda (f) (f r)) (list test-runner-pass-count test-runner-fail-count test-runner-xpass-count test-runner-xfail-count test-runner-skip-count)))
(define-syntax run (syntax-rules () ((_ body ...) (let ((r (test-runner-null))) (test-with-runner r (test-begin "g") body ... (test-end "g")) (counts r)))))
(run (test-assert #t) (test-assert #f) (test-assert "n" (error "x"))) => (1 2 0 0 0)

(run (test-eq 'a 'a) (test-eq "a" (string #\a)) (test-approximate 1.0 1.05 0.1) (test-approximate "n" 1.0 1.5 0.1)) => (2 2 0 0 0)

(run (test-error (error "x")) (test-error #t (car 1)) (test-error "none" #t 5) (test-error error-object? (raise 'x)) (test-error error-object? (error "y"))) => (3 2 0 0 0)

(run (test-skip 2) (test-assert #f) (test-assert #f) (test-assert #t)) => (1 0 0 0 2)

(run (test-skip "b") (test-assert "a" #t) (test-assert "b" #f) (test-expect-fail 1) (test-assert #f) (test-assert #t)) => (2 0 0 1 1)

(run (test-expect-fail (test-match-any "x" "y")) (test-assert "x" #t) (test-assert "y" #f) (test-assert "z" #t)) => (1 0 1 1 0)

(run (test-skip (test-match-all "a" (test-match-nth 2))) (test-assert "a" #t) (test-assert "a" #t)) => (1 0 0 0 1)

(run (test-group "inner" (test-skip 9) (test-assert #f)) (test-assert #t)) => (1 0 0 0 1)

(let ((n '())) (list (run (test-group-with-cleanup "inner" (test-assert #t) (set! n 'cleaned))) n)) => ((1 0 0 0 0) cleaned)

(let ((r (test-runner-null)) (seen '())) (test-runner-on-test-end! r (lambda (r) (set! seen (cons (list (test-runner-test-name r) (test-result-kind r) (test-passed? r) (test-result-ref r 'actual-value) (test-runner-group-path r)) seen)))) (test-with-runner r (test-begin "o") (test-group "i" (test-equal "t" 1 1)) (test-end "o")) seen) => (("t" pass #t 1 ("o" "i")))

(let ((r (test-runner-null)) (bad '())) (test-runner-on-bad-count! r (lambda (r a e) (set! bad (list a e)))) (test-runner-on-bad-end-name! r (lambda (r b e) (set! bad (cons b bad)))) (test-with-runner r (test-begin "a" 3) (test-assert #t) (test-end "b")) bad) => (1 3)

(let ((r (test-runner-simple))) (test-with-runner r (test-begin "a") (test-end "b"))) =>error test-end: the name is not that of test-begin

(test-with-runner (test-runner-null) (test-end)) =>error test-end: no group is open

(let ((r (test-runner-null))) (test-apply r "b" (lambda () (test-assert "a" #f) (test-assert "b" #t))) (counts r)) => (1 0 0 0 1)

(let ((r (test-runner-null))) (test-result-set! r 'k 1) (test-result-set! r 'k 2) (list (test-result-ref r 'k) (begin (test-result-remove r 'k) (test-result-ref r 'k 'gone)) (test-runner? r) (begin (test-runner-aux-value! r 'x) (test-runner-aux-value r)))) => (2 gone #t x)

(test-read-eval-string "(+ 1 2)") => 3

(test-read-eval-string "1 2") =>error more than one form

(test-runner-get) =>error test-runner-get: no test runner

(test-assert #t) =>error no test runner
