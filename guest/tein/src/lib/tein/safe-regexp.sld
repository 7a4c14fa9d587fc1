;; Regular expressions in linear time, in the syntax of the Rust crate regex. Where a regexp is
;; expected, a string is one too. Positions count characters.
;;
;; A match is a vector of groups, the whole match first: #(text start end), or #f for a group
;; that took no part.
(define-library (tein safe-regexp)
  (export
    regexp regexp? regexp-search regexp-search-from regexp-matches regexp-matches? regexp-replace
    regexp-replace-all regexp-split regexp-extract regexp-match-count regexp-match-submatch
    regexp-match->list regexp-fold)
  (import
    (scheme base)
    (only (tein core)
      regexp regexp? regexp-search regexp-search-from regexp-matches regexp-matches?
      regexp-replace regexp-replace-all regexp-split regexp-extract %regexp-extract))
  (begin
    (define (regexp-match-count m) (vector-length m))

    (define (group-text group) (and group (vector-ref group 0)))

    (define (regexp-match-submatch m n)
      (if (not (and (vector? m) (exact-integer? n) (< -1 n (vector-length m))))
          (error "regexp-match-submatch: no such group" n))
      (group-text (vector-ref m n)))

    (define (regexp-match->list m) (map group-text (vector->list m)))

    ;; KONS gets where the match before ended, the match, the string and what it gave so far;
    ;; FINISH gets the same at the end, with #f for the match.
    (define (regexp-fold rx kons knil s . rest)
      (let* ((finish (if (pair? rest) (car rest) (lambda (i m s acc) acc)))
             (rest (if (pair? rest) (cdr rest) '()))
             (start (if (pair? rest) (car rest) 0))
             (end (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) (string-length s))))
        (if (not (procedure? kons)) (error "regexp-fold: not a procedure" kons))
        (if (not (procedure? finish)) (error "regexp-fold: not a procedure" finish))
        (let loop ((matches (%regexp-extract rx s start end)) (i start) (acc knil))
          (if (pair? matches)
              (let ((m (car matches)))
                (loop (cdr matches) (vector-ref (vector-ref m 0) 2) (kons i m s acc)))
              (finish i #f s acc)))))))
