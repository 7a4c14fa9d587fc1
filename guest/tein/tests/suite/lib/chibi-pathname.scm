; import (chibi pathname)

; --- directory and name, as dirname(1) and basename(1) say them ---

(map path-directory '("/usr/lib" "/usr/" "usr" "/" "." ".." "//" "" "../" "../.." "/usr/local/lib" "usr/local" "//usr" "//usr/" "a/b/" "/a/b/c/." "/a/b/../c" "/a/b/c//" "/a/b//c///"))
=> ("/usr" "/" "." "/" "." "." "/" "." "." ".." "/usr/local" "usr" "/" "/" "a" "/a/b/c" "/a/b/.." "/a/b" "/a/b")

(map path-strip-directory '("/usr/lib" "/usr/" "usr" "/" "." ".." "" "../.." "a/b" "/a/b/c.d" "/a/b/c//"))
=> ("lib" "" "usr" "" "." ".." "" ".." "b" "c.d" "")

; --- extensions ---

(map path-extension '("foo.scm" "foo.scm.c" "/home/me/foo.scm" "foo..scm" "foo.s" "foo." "foo.scm." "." "a." "/." "foo.scm/" ".bashrc" "a/.b"))
=> ("scm" "c" "scm" "scm" "s" #f #f #f #f #f #f #f #f)

(map path-strip-extension '("foo.scm" "foo.scm.c" "/home/me/foo.scm" "foo..scm" "foo." "." "/." "foo.scm/" "a.b/c"))
=> ("foo" "foo.scm" "/home/me/foo" "foo." "foo." "." "/." "foo.scm/" "a.b/c")

(list (path-replace-extension "foo.scm" "c") (path-replace-extension "foo" "c")) => ("foo.c" "foo.c")

; --- absolute and relative ---

(list (map path-absolute? '("/" "//" "/usr" "/usr/..")) (map path-absolute? '("" "." "usr" "usr/")) (path-relative? "a")) => ((#t #t #t #t) (#f #f #f #f) #t)

(map path-strip-leading-parents '(".." "../" "../a" "../../a/b" "../../../a/../b" "a")) => ("" "" "a" "a/b" "a/../b" "a")

(list (path-relative-to "/a/b/c" "/a/b") (path-relative-to "/a/b/c" "/a/b/") (path-relative-to "/a/b/" "/a/b") (path-relative-to "/a/b" "/a/b") (path-relative-to "/d/a/b/c" "/a/b") (path-relative-to "/a/bc" "/a/b") (path-relative-to "/a" "/"))
=> ("c" "c" "." "." #f #f "a")

(list (path-resolve "/a" "/b") (path-resolve "a" "/b")) => ("/a" "/b/a")

; --- normal form ---

(map path-normalize '("/a/b/c/d/./e" "/a/b//.///c//d/./e" "/a/b//.///c//d/./e/" "/a/b/../c/d/e" "/a/b//..///c//d/../e" "/a/b//./../c/d/../../b//c/d/e/f/.." "/a/b/c/."))
=> ("/a/b/c/d/e" "/a/b/c/d/e" "/a/b/c/d/e/" "/a/c/d/e" "/a/c/e" "/a/b/c/d/e/" "/a/b/c/")

(map path-normalize '("" "." "/" "/." "/a/b/c/../../../../.." "a/b/c/../../../../.." "../a/b/c/../../../../.." "a/.." "./a"))
=> ("" "." "/" "/" "/" "../.." "../../.." "." "a")

; --- joining ---

(list (make-path "a" "b") (make-path "a/" "b") (make-path "a" "b" "." "c") (make-path "a" "b" ".." "c") (make-path "a" '("b" "c")) (make-path "/" "") (make-path "/" "/") (make-path "/" ".") (make-path "/a" "") (make-path "/a" "/") (make-path "/a" ".") (make-path) (make-path 'a 1))
=> ("a/b" "a/b" "a/b/./c" "a/b/../c" "a/b/c" "/" "/" "/." "/a" "/a" "/a/." "" "a/1")

(make-path "a" #\b) =>error make-path: not a part of a path: (#\b)

(path-directory 'a) =>error invalid type, expected String
