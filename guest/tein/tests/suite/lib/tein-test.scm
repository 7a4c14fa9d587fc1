; import (tein test)

(test-equal "sum" 3 (+ 1 2)) => ((values))

(test-equal "lists" '(1 2) (list 1 2)) => ((values))

(test-equal "sum" 4 (+ 1 2)) =>error scheme evaluation error: FAIL sum: expected : (4 " got " 3)

(test-true "yes" 5) => ((values))

(test-true "yes" #f) =>error scheme evaluation error: FAIL yes: expected true, got false

(test-false "no" #f) => ((values))

(test-false "no" 1) =>error scheme evaluation error: FAIL no: expected false, got true

(test-error "raises" (lambda () (car 5))) => ((values))

(test-error "raises" (lambda () (raise 'x))) => ((values))

(test-error "raises" (lambda () 5)) =>error scheme evaluation error: FAIL raises: expected error, but none raised
