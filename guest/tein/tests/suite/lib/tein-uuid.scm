; import (tein uuid) (scheme char)

(string-length (make-uuid)) => 36

(let ((u (make-uuid))) (list (uuid? u) (string-ref u 8) (string-ref u 13) (string-ref u 14) (string-ref u 18) (string-ref u 23))) => (#t #\- #\- #\4 #\- #\-)

(let ((u (make-uuid))) (and (memv (string-ref u 19) '(#\8 #\9 #\a #\b)) (string=? u (string-downcase u)))) => #t

(list uuid-nil (uuid? uuid-nil)) => ("00000000-0000-0000-0000-000000000000" #t)

(map uuid? (list "67e55044-10b1-426f-9247-bb680e5fe0c8" "67E55044-10B1-426F-9247-BB680E5FE0C8" "67e5504410b1426f9247bb680e5fe0c8" "{67e55044-10b1-426f-9247-bb680e5fe0c8}" "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8"))
=> (#t #t #t #t #t)

(map uuid? (list "" "not a uuid" "67e55044-10b1-426f-9247-bb680e5fe0c" "67e55044x10b1-426f-9247-bb680e5fe0c8" "g7e55044-10b1-426f-9247-bb680e5fe0c8" "{67e55044-10b1-426f-9247-bb680e5fe0c8" 5 'x #f))
=> (#f #f #f #f #f #f #f #f #f)
