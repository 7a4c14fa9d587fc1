(define-library (srfi 144)
  (export
    fl-e fl-1/e fl-e-2 fl-e-pi/4 fl-log2-e fl-log10-e fl-log-2 fl-1/log-2 fl-log-3 fl-log-pi
    fl-log-10 fl-1/log-10 fl-pi fl-1/pi fl-2pi fl-2/pi fl-pi/2 fl-pi/4 fl-pi-squared fl-degree
    fl-sqrt-pi fl-2/sqrt-pi fl-sqrt-2 fl-sqrt-3 fl-sqrt-5 fl-sqrt-10 fl-1/sqrt-2 fl-cbrt-2
    fl-cbrt-3 fl-4thrt-2 fl-phi fl-log-phi fl-1/log-phi fl-euler fl-e-euler fl-sin-1 fl-cos-1
    fl-gamma-1/2 fl-gamma-1/3 fl-gamma-2/3 fl-greatest fl-least fl-epsilon
    fl-integer-exponent-zero fl-integer-exponent-nan fl-fast-+* flonum flonum? fl=? fl<? fl>?
    fl<=? fl>=? (rename fl=? fl=) (rename fl<? fl<) (rename fl>? fl>) (rename fl<=? fl<=)
    (rename fl>=? fl>=) flodd? fleven? flunordered? flinteger? flzero? flpositive? flnegative?
    fl+ fl- fl* fl/ fl+* flmax flmin flabsdiff flnumerator fldenominator fladjacent flcopysign
    flsgn make-flonum flinteger-fraction flexponent flinteger-exponent
    flnormalized-fraction-exponent sign-bit flfinite? flinfinite? flnan? flnormalized?
    fldenormalized? flabs flposdiff flfloor flceiling flround fltruncate flexp flexp2 flexp-1
    flsquare flsqrt flcbrt flhypot flexpt fllog fllog1+ fllog2 fllog10 flsin flcos fltan flasin
    flacos flatan flsinh flcosh fltanh flasinh flacosh flatanh flremquo flgamma flloggamma
    flfirst-bessel flsecond-bessel flerf flerfc flfloor/ flfloor-quotient flfloor-remainder
    flceiling/ flceiling-quotient flceiling-remainder fltruncate/ fltruncate-quotient
    fltruncate-remainder flround/ flround-quotient flround-remainder fleuclidean/
    fleuclidean-quotient fleuclidean-remainder flbalanced/ flbalanced-quotient
    flbalanced-remainder)
  (import
    (scheme base) (scheme inexact) (srfi 141)
    (only (tein core) flonum? flexp2 flexp-1 flcbrt fllog1+ fllog2 fllog10 flsinh flcosh fltanh
          flasinh flacosh flatanh flgamma flerf flerfc %flloggamma %flgamma-sign %flfraction
          %flexponent fladjacent flcopysign flhypot %flremquo-remainder %flremquo-quotient fl+*
          make-flonum sign-bit flfirst-bessel flsecond-bessel))
  (begin
    (define-syntax define-constants
      (syntax-rules () ((_ (name value) ...) (begin (define name value) ...))))
    (define-constants
      (fl-e 2.7182818284590452354) (fl-1/e 0.36787944117144232160)
      (fl-e-2 7.3890560989306502272) (fl-e-pi/4 2.1932800507380154566)
      (fl-log2-e 1.4426950408889634074) (fl-log10-e 0.43429448190325182765)
      (fl-log-2 0.69314718055994530942) (fl-1/log-2 1.4426950408889634074)
      (fl-log-3 1.0986122886681096914) (fl-log-pi 1.1447298858494001741)
      (fl-log-10 2.3025850929940456840) (fl-1/log-10 0.43429448190325182765)
      (fl-pi 3.1415926535897932385) (fl-1/pi 0.31830988618379067154)
      (fl-2pi 6.2831853071795864769) (fl-2/pi 0.63661977236758134308)
      (fl-pi/2 1.5707963267948966192) (fl-pi/4 0.78539816339744830962)
      (fl-pi-squared 9.8696044010893586188) (fl-degree 0.017453292519943295769)
      (fl-sqrt-pi 1.7724538509055160273) (fl-2/sqrt-pi 1.1283791670955125739)
      (fl-sqrt-2 1.4142135623730950488) (fl-sqrt-3 1.7320508075688772935)
      (fl-sqrt-5 2.2360679774997896964) (fl-sqrt-10 3.1622776601683793320)
      (fl-1/sqrt-2 0.70710678118654752440) (fl-cbrt-2 1.2599210498948731648)
      (fl-cbrt-3 1.4422495703074083823) (fl-4thrt-2 1.1892071150027210667)
      (fl-phi 1.6180339887498948482) (fl-log-phi 0.48121182505960344750)
      (fl-1/log-phi 2.0780869212350275376) (fl-euler 0.57721566490153286061)
      (fl-e-euler 1.7810724179901979852) (fl-sin-1 0.84147098480789650665)
      (fl-cos-1 0.54030230586813971740) (fl-gamma-1/2 1.7724538509055160273)
      (fl-gamma-1/3 2.6789385347077476337) (fl-gamma-2/3 1.3541179394264004169)
      (fl-greatest 1.7976931348623157e308) (fl-least 5e-324) (fl-epsilon 2.220446049250313e-16)
      ;; As C has FP_ILOGB0 and FP_ILOGBNAN.
      (fl-integer-exponent-zero -2147483648) (fl-integer-exponent-nan -2147483648)
      ;; A fused multiply-add is not a machine instruction here.
      (fl-fast-+* #f))

    (define (flo x) (if (flonum? x) x (error "invalid type, expected Flonum" x)))
    (define (flonum x) (if (real? x) (inexact x) +nan.0))

    (define-syntax define-each
      (syntax-rules ()
        ((_ (name f) ...) (begin (define (name x) (f (flo x))) ...))))
    (define-each
      (flodd? odd?) (fleven? even?) (flinteger? integer?) (flzero? zero?)
      (flpositive? positive?) (flnegative? negative?) (flfinite? finite?)
      (flinfinite? infinite?) (flnan? nan?) (flabs abs) (flfloor floor) (flceiling ceiling)
      (flround round) (fltruncate truncate) (flexp exp) (flsquare square) (flsin sin)
      (flcos cos) (fltan tan) (flnumerator numerator) (fldenominator denominator))
    ;; Where the tower would answer with a complex number, a flonum is not one.
    (define-syntax define-within
      (syntax-rules ()
        ((_ (name f x test) ...)
         (begin (define (name x) (flo x) (if test (f x) +nan.0)) ...))))
    (define-within
      (flsqrt sqrt x (or (>= x 0.0) (nan? x))) (fllog log x (or (>= x 0.0) (nan? x)))
      (flasin asin x (<= -1.0 x 1.0)) (flacos acos x (<= -1.0 x 1.0)))
    (define (flatan y . x) (if (pair? x) (atan (flo y) (flo (car x))) (atan (flo y))))
    (define (flexpt x y)
      (let ((r (expt (flo x) (flo y)))) (if (real? r) r +nan.0)))

    (define-syntax define-all
      (syntax-rules ()
        ((_ (name f) ...) (begin (define (name . l) (for-each flo l) (apply f l)) ...))))
    (define-all
      (fl=? =) (fl<? <) (fl>? >) (fl<=? <=) (fl>=? >=))
    (define (fl+ . l) (for-each flo l) (apply + 0.0 l))
    (define (fl* . l) (for-each flo l) (apply * 1.0 l))
    (define (fl- x . l) (flo x) (for-each flo l) (apply - x l))
    (define (fl/ x . l) (flo x) (for-each flo l) (apply / x l))
    (define (choose better? start l)
      (let loop ((l l) (best start))
        (cond ((null? l) best)
              ((or (nan? best) (better? (flo (car l)) best)) (loop (cdr l) (car l)))
              (else (loop (cdr l) best)))))
    (define (flmax . l) (choose > -inf.0 l))
    (define (flmin . l) (choose < +inf.0 l))
    (define (flunordered? x y) (or (flnan? x) (flnan? y)))
    (define (flabsdiff x y) (abs (fl- x y)))
    (define (flposdiff x y) (if (fl<? x y) 0.0 (fl- x y)))
    (define (flsgn x) (flcopysign 1.0 x))

    ;; --- parts ---

    (define (flinteger-fraction x)
      (let ((i (fltruncate x)))
        (values i (if (infinite? x) (flcopysign 0.0 x) (flcopysign (- x i) x)))))
    (define (flexponent x)
      (cond ((flnan? x) x)
            ((infinite? x) +inf.0)
            ((= x 0.0) -inf.0)
            (else (inexact (- (%flexponent x) 1)))))
    (define (flinteger-exponent x)
      (cond ((flnan? x) fl-integer-exponent-nan)
            ((infinite? x) 2147483647)
            ((= x 0.0) fl-integer-exponent-zero)
            (else (- (%flexponent x) 1))))
    (define (flnormalized-fraction-exponent x) (values (%flfraction x) (%flexponent x)))
    (define (flnormalized? x)
      (and (flfinite? x) (>= (abs x) 2.2250738585072014e-308)))
    (define (fldenormalized? x) (< 0.0 (flabs x) 2.2250738585072014e-308))
    (define (flremquo x y)
      (values (%flremquo-remainder x y) (%flremquo-quotient x y)))
    (define (flloggamma x) (values (%flloggamma x) (%flgamma-sign x)))

    (define-syntax define-divisions
      (syntax-rules ()
        ((_ (both both* quotient quotient* remainder remainder*) ...)
         (begin
           (begin
             (define (both x y) (both* (flo x) (flo y)))
             (define (quotient x y) (quotient* (flo x) (flo y)))
             (define (remainder x y) (remainder* (flo x) (flo y)))) ...))))
    (define-divisions
      (flfloor/ floor/ flfloor-quotient floor-quotient flfloor-remainder floor-remainder)
      (flceiling/ ceiling/ flceiling-quotient ceiling-quotient flceiling-remainder
                  ceiling-remainder)
      (fltruncate/ truncate/ fltruncate-quotient truncate-quotient fltruncate-remainder
                   truncate-remainder)
      (flround/ round/ flround-quotient round-quotient flround-remainder round-remainder)
      (fleuclidean/ euclidean/ fleuclidean-quotient euclidean-quotient fleuclidean-remainder
                    euclidean-remainder)
      (flbalanced/ balanced/ flbalanced-quotient balanced-quotient flbalanced-remainder
                   balanced-remainder))))
