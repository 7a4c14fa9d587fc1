; import (tein file) (tein filesystem) (scheme load)
; There is no file system: everything is refused, and can be handled.

(file-exists? "/etc/passwd") =>error sandbox violation: file access denied: /etc/passwd (read not permitted)

(delete-file "x") =>error sandbox violation: file access denied: x (write not permitted)

(open-input-file "/etc/passwd") =>error sandbox violation: file access denied: ("/etc/passwd")

(open-binary-input-file "a") =>error sandbox violation: file access denied: ("a")

(open-output-file "a") =>error sandbox violation: file access denied: ("a")

(open-binary-output-file "a") =>error sandbox violation: file access denied: ("a")

(call-with-input-file "a" read) =>error sandbox violation: file access denied: ("a")

(call-with-output-file "a" newline) =>error sandbox violation: file access denied: ("a")

(with-input-from-file "a" read) =>error sandbox violation: file access denied: ("a")

(with-output-to-file "a" newline) =>error sandbox violation: file access denied: ("a")

(guard (e ((file-error? e) (error-object-message e))) (file-exists? "p")) => "[sandbox:file] p (read not permitted)"

(guard (e ((file-error? e) (list (error-object-message e) (error-object-irritants e)))) (open-input-file "p"))
=> ("open-input-file: access denied by sandbox policy" ("p"))

(open-input-file 5) =>error invalid type, expected String: (5)

(map procedure? (list open-input-file open-binary-input-file open-output-file open-binary-output-file)) => (#t #t #t #t)

(file-size "p") =>error sandbox violation: file access denied: p (read not permitted)

(create-directory "p") =>error sandbox violation: file access denied: p (write not permitted)

(rename-file "p" "q") =>error sandbox violation: file access denied: p (write not permitted)

(list open/read lock/shared) => (0 0)

(file-mode "p") =>error scheme evaluation error: not implemented: (file-mode)

(load "x.scm") =>error scheme evaluation error: [sandbox:load] x.scm (only VFS paths permitted)

(load "/vfs/no/such.scm") =>error load: no such file: ("/vfs/no/such.scm")
