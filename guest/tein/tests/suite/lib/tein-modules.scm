; import (tein modules)

(register-module "(define-library (my tool) (export f) (import (scheme base)) (begin (define (f x) (* x 2))))") => #t

(import (my tool))
(f 21) => 42

; One that uses it.
(register-module "(define-library (my other) (export g) (import (scheme base) (my tool)) (begin (define (g x) (f (f x)))))")
(import (my other))
(g 1) => 4

(map module-registered? '((my tool) (scheme base) (tein json) (no such))) => (#t #t #t #f)

; A second registration is for those who import later.
(register-module "(define-library (my tool) (export f) (import (scheme base)) (begin (define (f x) 'new)))")
(list (f 1) (g 1)) => (2 4)

(register-module "(define-library (scheme base) (export x) (begin (define x 1)))") =>error register_module: module 'scheme/base' already exists as a built-in module

(register-module "(define-library (srfi 115) (export x) (begin (define x 1)))") =>error register_module: module 'srfi/115' already exists as a built-in module

(register-module "(define-library (my file) (export x) (include \"x.scm\"))") =>error register_module: the library must use begin

(register-module "(+ 1 2)") =>error register_module: the source must be one define-library form

(register-module "(define-library (a b)) (define-library (c d))") =>error register_module: the source must be one define-library form

(register-module "") =>error register_module: the source is empty

(register-module "(define-library") =>error register_module: 1:1: missing ')'

(register-module 5) =>error invalid type, expected String: (5)

(register-module "(define-library (my broken) (export nothing))") =>error exports a name that it does not define
