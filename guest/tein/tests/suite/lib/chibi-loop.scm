; import (chibi loop)

; --- with, results and names ---

(loop lp ((with i 0 (+ i 1)) (with res '() (cons i res))) (if (= i 3) (reverse res) (lp))) => (0 1 2)

(let ((res '())) (loop ((for x (in-list '(a b c)))) (set! res (cons x res))) res) => (c b a)

(loop ((for x (in-list '(a b c))) (with res '() (cons x res))) => res) => (c b a)

(loop lp ((for x (in-list '(1 2 3 4))) (with n 0)) => n (if (even? x) (lp (=> n (+ n x))) (lp))) => 6

(loop ((for x (in-list '(1 2 3 4))) (with n 0 (+ n x) (odd? x))) => n) => 4

; A named loop may be called anywhere; what has no update takes its step.
(define (flatten ls)
  (reverse (loop lp ((for x ls (in-list ls)) (with res '())) => res
             (if (pair? x) (lp (=> res (lp (=> ls x)))) (lp (=> res (cons x res)))))))
(flatten '(1 (2) (3 (4 (5)) 6) 7))
=> (1 2 3 4 5 6 7)

(loop lp ((for x (in-list '(1 2 3)))) => 'end (if (= x 2) 'found (lp))) => found

(loop ((for x)) => x) =>error no expansion for

(loop ((quux x)) => x) =>error loop: not a clause

; --- lists ---

(loop ((for x (in-list '(a b c))) (for y (in-list '(1 2 3 4))) (for res (listing (cons x y)))) => res) => ((a . 1) (b . 2) (c . 3))

(loop ((for x rest (in-list '(a b c))) (for res (listing rest))) => res) => ((a b c) (b c) (c))

(loop ((for x (in-list '(a b c d) cddr)) (for res (listing x))) => res) => (a c)

(loop ((for ls (in-lists '((a b c) (1 2 3 4)))) (for res (listing ls))) => res) => ((a 1) (b 2) (c 3))

; --- strings and vectors ---

(list (loop ((for c (in-string "hello")) (for res (listing c))) => res)
      (loop ((for c (in-string "hello" 3)) (for res (listing c))) => res)
      (loop ((for c (in-string "hello" 0 2)) (for res (listing c))) => res)
      (loop ((for c (in-string-reverse "hey")) (for res (listing c))) => res))
=> ((#\h #\e #\l #\l #\o) (#\l #\o) (#\h #\e) (#\y #\e #\h))

(list (loop ((for x (in-vector #(1 2 3))) (for res (listing x))) => res)
      (loop ((for x i (in-vector #(a b c) 1)) (for res (listing (list x i)))) => res)
      (loop ((for x (in-vector-reverse #(1 2 3))) (for res (listing x))) => res)
      (loop ((for x (in-vector-reverse #(1 2 3 4) 1 3)) (for res (listing x))) => res))
=> ((1 2 3) ((b 1) (c 2)) (3 2 1) (3 2))

(list (loop ((for s (in-substrings 2 "abcd")) (for res (listing s))) => res) (loop ((for s (in-substrings 5 "abc")) (for res (listing s))) => res))
=> (("ab" "bc" "cd") ())

; --- ports ---

(loop ((for c (in-port (open-input-string "abc"))) (for res (listing c))) => res) => (#\a #\b #\c)

(loop ((for x (in-port (open-input-string "1 (2) x") read)) (for res (listing x))) => res) => (1 (2) x)

(loop ((for x (in-file "/etc/passwd"))) => x) =>error file access denied

; --- numbers ---

(list (loop ((for i (up-from 5 (to 8))) (for res (listing i))) => res)
      (loop ((for i (up-from 5 (to 20) (by 5))) (for res (listing i))) => res)
      (loop ((for i (up-from 5 (by 5) (to 20))) (for res (listing i))) => res)
      (loop ((for i (down-from 8 (to 5))) (for res (listing i))) => res)
      (loop ((for i (down-from 20 (to 5) (by 5))) (for res (listing i))) => res))
=> ((5 6 7) (5 10 15) (5 10 15) (7 6 5) (15 10 5))

(list (loop ((for i (up-from 5)) (while (< i 8)) (for res (listing i))) => res)
      (loop ((for i (up-from 5 (by 2))) (while (< i 10)) (for res (listing i))) => res)
      (loop ((for i (down-from 5)) (until (< i 2)) (for res (listing i))) => res)
      (loop ((for i (down-from 7 (by 2))) (until (< i 1)) (for res (listing i))) => res))
=> ((5 6 7) (5 7 9) (4 3 2) (5 3 1))

(loop ((for i (up-from 0 (to 4))) (let j (* i i)) (let-values (a b) (values i j)) (for res (listing (+ a b)))) => res) => (0 2 6 12)

; --- accumulators ---

(list (loop ((for x (in-list '(a b c))) (for res (listing-reverse x))) => res)
      (loop ((for x (up-from 10 (to 20))) (for res (listing x (if (even? x))))) => res)
      (loop ((for x (in-list '((1 2) () (3)))) (for res (appending x))) => res)
      (loop ((for x (in-list '((1 2) (3)))) (for res (appending-reverse x))) => res)
      (loop ((for x (in-list '(1 2 3))) (for a (summing x)) (for b (multiplying x))) => (list a b))
      (loop ((for x (in-list '(1 2 3))) (for a (summing x (if (odd? x)) 100))) => a))
=> ((c b a) (10 12 14 16 18) (1 2 3) (3 2 1) (6 6) 104)

(for ((i (in-list '(1 2 3))) (res (listing (* i i)))) => res) => (1 4 9)

; A loop of a million turns needs no memory.
(loop ((for i (up-from 0 (to 100000))) (for n (summing i))) => n) => 4999950000
