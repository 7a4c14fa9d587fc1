;; R6RS bytevectors.
(define-library (scheme bytevector)
  (export
    endianness native-endianness bytevector? make-bytevector bytevector-length bytevector=?
    bytevector-fill! bytevector-copy! bytevector-u8-ref bytevector-s8-ref bytevector-u8-set!
    bytevector-s8-set! bytevector->u8-list u8-list->bytevector bytevector-uint-ref
    bytevector-sint-ref bytevector-uint-set! bytevector-sint-set! bytevector->uint-list
    uint-list->bytevector bytevector->sint-list sint-list->bytevector
    bytevector-ieee-single-native-ref bytevector-ieee-single-ref
    bytevector-ieee-double-native-ref bytevector-ieee-double-ref
    bytevector-ieee-single-native-set! bytevector-ieee-single-set!
    bytevector-ieee-double-native-set! bytevector-ieee-double-set! string->utf8 string->utf16
    string->utf32 utf8->string utf16->string utf32->string)
  (import
    (scheme base)
    (only (tein core) bytevector-fill! %bytevector-int-ref %bytevector-int-set!
          %bytevector-float-ref %bytevector-float-set! %string->utf %utf->string))
  (begin
    (define-syntax endianness
      (syntax-rules (big little)
        ((_ big) 'big)
        ((_ little) 'little)))
    (define (native-endianness) 'little)
    (define (big? order)
      (case order
        ((big) #t)
        ((little) #f)
        (else (error "not an endianness" order))))
    ;; Native accessors want an index that is a multiple of the size.
    (define (aligned k size)
      (if (not (and (exact-integer? k) (= 0 (modulo k size))))
          (error "bytevector: index not aligned" k size))
      k)

    (define (bytevector=? a b)
      (if (not (and (bytevector? a) (bytevector? b)))
          (error "invalid type, expected Bytevector" a b))
      (equal? a b))
    (define (bytevector-s8-ref v k) (%bytevector-int-ref v k 1 #f #t))
    (define (bytevector-s8-set! v k n) (%bytevector-int-set! v k n 1 #f #t))
    (define (bytevector-uint-ref v k order size) (%bytevector-int-ref v k size (big? order) #f))
    (define (bytevector-sint-ref v k order size) (%bytevector-int-ref v k size (big? order) #t))
    (define (bytevector-uint-set! v k n order size)
      (%bytevector-int-set! v k n size (big? order) #f))
    (define (bytevector-sint-set! v k n order size)
      (%bytevector-int-set! v k n size (big? order) #t))

    (define (numbers ref v order size)
      (if (not (and (exact-integer? size) (positive? size)
                    (= 0 (modulo (bytevector-length v) size))))
          (error "bytevector: the length is not a multiple of the size" size))
      (let loop ((k (- (bytevector-length v) size)) (out '()))
        (if (< k 0) out (loop (- k size) (cons (ref v k order size) out)))))
    (define (pack set l order size)
      (let ((v (make-bytevector (* size (length l)))))
        (let loop ((k 0) (l l))
          (if (pair? l)
              (begin (set v k (car l) order size) (loop (+ k size) (cdr l)))
              v))))
    (define (bytevector->uint-list v order size) (numbers bytevector-uint-ref v order size))
    (define (bytevector->sint-list v order size) (numbers bytevector-sint-ref v order size))
    (define (uint-list->bytevector l order size) (pack bytevector-uint-set! l order size))
    (define (sint-list->bytevector l order size) (pack bytevector-sint-set! l order size))
    (define (bytevector->u8-list v) (bytevector->uint-list v 'little 1))
    (define (u8-list->bytevector l) (uint-list->bytevector l 'little 1))

    (define (bytevector-ieee-single-ref v k order) (%bytevector-float-ref v k 4 (big? order)))
    (define (bytevector-ieee-double-ref v k order) (%bytevector-float-ref v k 8 (big? order)))
    (define (bytevector-ieee-single-native-ref v k)
      (%bytevector-float-ref v (aligned k 4) 4 #f))
    (define (bytevector-ieee-double-native-ref v k)
      (%bytevector-float-ref v (aligned k 8) 8 #f))
    (define (bytevector-ieee-single-set! v k x order)
      (%bytevector-float-set! v k x 4 (big? order)))
    (define (bytevector-ieee-double-set! v k x order)
      (%bytevector-float-set! v k x 8 (big? order)))
    (define (bytevector-ieee-single-native-set! v k x)
      (%bytevector-float-set! v (aligned k 4) x 4 #f))
    (define (bytevector-ieee-double-native-set! v k x)
      (%bytevector-float-set! v (aligned k 8) x 8 #f))

    ;; Big-endian unless an order is given.
    (define (string->utf16 s . order)
      (%string->utf s 2 (or (null? order) (big? (car order)))))
    (define (string->utf32 s . order)
      (%string->utf s 4 (or (null? order) (big? (car order)))))
    ;; A byte order mark decides, unless it is mandated that it does not.
    (define (decode v width order mandatory)
      (let* ((marked (if mandatory #f (mark v width)))
             (start (if marked width 0)))
        (%utf->string (if (= start 0) v (bytevector-copy v start)) width
                      (big? (or marked order)))))
    (define (mark v width)
      (and (>= (bytevector-length v) width)
           (let ((n (bytevector-uint-ref v 0 'little width)))
             (cond ((= n #xfeff) 'little)
                   ((= n (if (= width 2) #xfffe #xfffe0000)) 'big)
                   (else #f)))))
    (define (utf16->string v order . mandatory)
      (decode v 2 order (and (pair? mandatory) (car mandatory))))
    (define (utf32->string v order . mandatory)
      (decode v 4 order (and (pair? mandatory) (car mandatory)))))
  (instantiate "bytevector/sized.scm" "16" "32" "64"))
