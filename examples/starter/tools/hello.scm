;; A tool in its shortest form: four definitions with fixed names.

(define tool-name "hello")

(define tool-description "Greets someone by name")

;; Parameters are required unless they say otherwise.
(define tool-parameters
  '((name . ((type . "string")
             (description . "Who to greet")))
    (loudly . ((type . "boolean")
               (description . "With an exclamation mark")
               (required . #f)))))

;; The arguments arrive as a list of pairs: (("loudly" . #t) ("name" . "Ada")).
(define (tool-execute args)
  (let ((name (cdr (assoc "name" args)))
        (loudly (assoc "loudly" args)))
    (string-append "Hello, " name (if (and loudly (cdr loudly)) "!" "."))))
