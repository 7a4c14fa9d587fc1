;; Types of objects, conditions and procedures. The reference's compiler works on syntax trees that a
;; program can see; this engine has none, so whatever makes or takes them says so, and the
;; predicates hold for nothing.
(define-library (chibi ast)
  (export
    analyze optimize env-cell ast->sexp macroexpand type-of
    Object Input-Port Output-Port Opcode Procedure Bytecode Macro Env
    Number Bignum Flonum Integer Complex Char Boolean
    Symbol String Byte-Vector Vector Pair File-Descriptor
    Context Lam Cnd Set Set-Syn Ref Seq Lit Sc Exception Core
    syntactic-closure? lambda? cnd? set? ref? seq? lit? type? core?
    environment? bytecode? exception? macro? context? file-descriptor?
    syntactic-closure-expr syntactic-closure-env syntactic-closure-vars
    copy-lambda make-lambda make-cnd make-ref make-set make-seq make-lit make-macro
    lambda-name lambda-params lambda-body lambda-defs lambda-locals
    lambda-flags lambda-free-vars lambda-set-vars lambda-return-type
    lambda-param-types lambda-source
    lambda-name-set! lambda-params-set! lambda-body-set! lambda-defs-set!
    lambda-locals-set! lambda-flags-set! lambda-free-vars-set!
    lambda-set-vars-set! lambda-return-type-set! lambda-param-types-set! lambda-source-set!
    cnd-test cnd-pass cnd-fail cnd-test-set! cnd-pass-set! cnd-fail-set!
    set-var set-value set-var-set! set-value-set! set-source set-source-set!
    ref-name ref-cell ref-name-set! ref-cell-set!
    seq-ls seq-ls-set! lit-value lit-value-set!
    exception-kind exception-message exception-irritants exception-source
    opcode-name opcode-num-params opcode-return-type opcode-param-type
    opcode-class opcode-code opcode-data opcode-variadic? opcode?
    macro-procedure macro-env macro-source macro-aux macro-aux-set!
    procedure-code procedure-vars procedure-name procedure-name-set!
    procedure-arity procedure-variadic? procedure-variable-transformer? procedure-flags
    make-variable-transformer make-procedure procedure?
    bytecode-name bytecode-literals bytecode-source
    port-line port-line-set! port-source? port-source?-set!
    extend-env env-parent env-parent-set! env-lambda env-lambda-set!
    env-define! env-push! env-syntactic? env-syntactic?-set! core-code
    type-name type-cpl type-parent type-slots type-num-slots type-printer type-printer-set!
    object-size object->integer integer->immediate gc gc-usecs gc-count
    atomically thread-list abort
    string-contains string-cursor-copy! errno integer->error-string
    flatten-dot update-free-vars! setenv unsetenv safe-setenv
    immutable? immutable-string make-immutable! thread-interrupt! set-vm-trace! chibi-version)
  (import
    (scheme base)
    (only (scheme process-context) emergency-exit)
    (only (tein core)
      string-contains procedure-arity make-variable-transformer variable-transformer? %record? %record-type %record-type? %record-type-ref))
  (begin
    ;; --- what this engine does not have ---

    ;; What makes one gives an object of its own, not a procedure with a mark.
    (define procedure-variable-transformer? variable-transformer?)

    (define-syntax define-missing
      (syntax-rules ()
        ((_ name ...)
         (begin
           (define (name . args)
             (error (string-append "[sandbox:chibi/ast] " (symbol->string 'name) " not available")))
           ...))))

    (define-missing
      analyze optimize env-cell ast->sexp macroexpand
      syntactic-closure-expr syntactic-closure-env syntactic-closure-vars
      copy-lambda make-lambda make-cnd make-ref make-set make-seq make-lit make-macro
      lambda-name lambda-params lambda-body lambda-defs lambda-locals
      lambda-flags lambda-free-vars lambda-set-vars lambda-return-type
      lambda-param-types lambda-source
      lambda-name-set! lambda-params-set! lambda-body-set! lambda-defs-set!
      lambda-locals-set! lambda-flags-set! lambda-free-vars-set!
      lambda-set-vars-set! lambda-return-type-set! lambda-param-types-set! lambda-source-set!
      cnd-test cnd-pass cnd-fail cnd-test-set! cnd-pass-set! cnd-fail-set!
      set-var set-value set-var-set! set-value-set! set-source set-source-set!
      ref-name ref-cell ref-name-set! ref-cell-set!
      seq-ls seq-ls-set! lit-value lit-value-set!
      opcode-name opcode-num-params opcode-return-type opcode-param-type
      opcode-class opcode-code opcode-data opcode-variadic?
      macro-procedure macro-env macro-source macro-aux macro-aux-set!
      procedure-code procedure-vars procedure-name-set! procedure-flags
      make-procedure
      bytecode-name bytecode-literals bytecode-source
      port-line port-line-set! port-source?-set!
      extend-env env-parent env-parent-set! env-lambda env-lambda-set!
      env-define! env-push! env-syntactic? env-syntactic?-set! core-code
      type-printer-set! object-size object->integer integer->immediate
      update-free-vars! setenv unsetenv safe-setenv
      thread-interrupt! set-vm-trace!)

    (define-syntax define-never
      (syntax-rules ()
        ((_ name ...) (begin (define (name x) #f) ...))))

    (define-never
      syntactic-closure? lambda? cnd? set? ref? seq? lit? core? bytecode? macro? context?
      file-descriptor? opcode? port-source? environment?)

    ;; --- types ---

    (define-record-type Type
      (make-type name parent test)
      built-in?
      (name built-in-name)
      (parent built-in-parent)
      (test built-in-test))

    (define-syntax define-types
      (syntax-rules ()
        ((_ (id name parent test) ...)
         (begin (define id (make-type name parent test)) ...))))

    (define (never x) #f)
    (define (fixnum? x) (and (exact-integer? x) (< -2305843009213693953 x 2305843009213693952)))

    (define Object (make-type "Object" #f (lambda (x) #t)))
    (define-types
      (Number "Number" Object number?)
      (Pair "Pair" Object pair?)
      (Symbol "Symbol" Object symbol?)
      (String "String" Object string?)
      (Vector "Vector" Object vector?)
      (Byte-Vector "Byte-Vector" Object bytevector?)
      (Char "Char" Object char?)
      (Boolean "Boolean" Object boolean?)
      (Procedure "Procedure" Object procedure?)
      (Input-Port "Input-Port" Object input-port?)
      (Output-Port "Output-Port" Object output-port?)
      (Exception "Exception" Object error-object?)
      (Opcode "Opcode" Object never)
      (Bytecode "Bytecode" Object never)
      (Macro "Macro" Object never)
      (Env "Env" Object never)
      (File-Descriptor "File-Descriptor" Object never)
      (Context "Context" Object never)
      (Lam "Lambda" Object never)
      (Cnd "Conditional" Object never)
      (Set "Set!" Object never)
      (Set-Syn "Set-Syntax!" Object never)
      (Ref "Reference" Object never)
      (Seq "Sequence" Object never)
      (Lit "Literal" Object never)
      (Sc "Syntactic-Closure" Object never)
      (Core "Core-Form" Object never))
    (define-types
      (Integer "Integer" Number fixnum?)
      (Bignum "Bignum" Number exact-integer?)
      (Flonum "Flonum" Number (lambda (x) (and (real? x) (inexact? x))))
      (Complex "Complex" Number number?))

    ;; The narrow types before the wide ones.
    (define ordered
      (list Pair Symbol String Integer Bignum Flonum Complex Char Boolean Vector Byte-Vector
            Procedure Input-Port Output-Port Exception))

    (define (type? x) (or (built-in? x) (%record-type? x)))

    ;; The type of an object: a record's own, or one of the above.
    (define (type-of x)
      (if (%record? x)
          (%record-type x)
          (let loop ((types ordered))
            (cond ((null? types) Object)
                  (((built-in-test (car types)) x) (car types))
                  (else (loop (cdr types)))))))

    (define (check-type x)
      (if (not (type? x)) (error "invalid type, expected Type" x)))

    (define (type-name type)
      (check-type type)
      (if (built-in? type)
          (built-in-name type)
          (symbol->string (%record-type-ref type 0))))

    (define (type-parent type)
      (check-type type)
      (if (built-in? type) (built-in-parent type) Object))

    ;; The type and its ancestors, the most general first.
    (define (type-cpl type)
      (let loop ((type type) (out '()))
        (if type (loop (type-parent type) (cons type out)) (list->vector out))))

    ;; The names of a record's fields.
    (define (type-slots type)
      (check-type type)
      (if (built-in? type) '() (vector->list (%record-type-ref type 1))))

    (define (type-num-slots type) (length (type-slots type)))
    (define (type-printer type) (check-type type) #f)

    ;; --- conditions ---

    (define (exception? x) (error-object? x))
    (define (exception-message e) (error-object-message e))
    (define (exception-irritants e) (error-object-irritants e))
    (define (exception-source e) (error-object-message e) #f)
    (define (exception-kind e)
      (cond ((read-error? e) 'read)
            ((file-error? e) 'file)
            (else (error-object-message e) 'user)))

    ;; --- procedures ---

    (define (procedure-variadic? f) (not (cdr (procedure-arity f))))

    ;; Names are for messages and cannot be asked for here.
    (define (procedure-name f)
      (if (not (procedure? f)) (error "invalid type, expected Procedure" f))
      #f)

    ;; --- the machine ---

    ;; The collector decides by itself when to run.
    (define (gc) 0)
    (define (gc-usecs) 0)
    (define (gc-count) 0)

    (define-syntax atomically
      (syntax-rules () ((_ expr) expr)))

    (define (thread-list) '())
    (define (abort) (emergency-exit 70))
    (define (errno) 0)
    (define (integer->error-string . n)
      (if (or (null? n) (eqv? 0 (car n)))
          "Success"
          (string-append "Error " (number->string (car n)))))

    (define (immutable? x) (or (symbol? x) (number? x) (char? x) (boolean? x) (null? x)))
    (define (immutable-string s) (string-copy s))
    (define (make-immutable! x) #f)

    ;; Copies from one string into another as far as there is room; the characters copied.
    (define (string-cursor-copy! to at from start end)
      (let ((n (max 0 (min (- end start) (- (string-length to) at)))))
        (string-copy! to at from start (+ start n))
        n))

    ;; The items of a list that may end in a dot.
    (define (flatten-dot x)
      (cond ((pair? x) (cons (car x) (flatten-dot (cdr x))))
            ((null? x) '())
            (else (list x))))

    (define (chibi-version) "0.11.0")))
