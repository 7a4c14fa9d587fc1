; import (prefix (chibi system) chibi/system:) (prefix (chibi shell) chibi/shell:) (prefix (chibi temp-file) chibi/temp-file:) (prefix (chibi stty) chibi/stty:) (prefix (chibi term edit-line) chibi/term/edit-line:) (prefix (chibi app) chibi/app:) (prefix (chibi config) chibi/config:) (prefix (chibi log) chibi/log:) (prefix (chibi apropos) chibi/apropos:) (prefix (chibi tar) chibi/tar:) (prefix (chibi net) chibi/net:) (prefix (chibi net http) chibi/net/http:) (prefix (chibi net server) chibi/net/server:) (prefix (chibi net http-server) chibi/net/http-server:) (prefix (chibi net server-util) chibi/net/server-util:) (prefix (chibi net servlet) chibi/net/servlet:)
; These import, and refuse when they are used.

(chibi/system:current-user-id "x" 1) =>error scheme evaluation error: [sandbox:chibi/system] current-user-id not available

(chibi/shell:shell-command "x" 1) =>error scheme evaluation error: [sandbox:chibi/shell] shell-command not available

(chibi/temp-file:call-with-temp-file "x" 1) =>error scheme evaluation error: [sandbox:chibi/temp-file] call-with-temp-file not available

(chibi/stty:stty "x" 1) =>error scheme evaluation error: [sandbox:chibi/stty] stty not available

(chibi/term/edit-line:edit-line "x" 1) =>error scheme evaluation error: [sandbox:chibi/term/edit-line] edit-line not available

(chibi/app:run-application "x" 1) =>error scheme evaluation error: [sandbox:chibi/app] run-application not available

(chibi/config:conf-load "x" 1) =>error scheme evaluation error: [sandbox:chibi/config] conf-load not available

(chibi/log:log-open "x" 1) =>error scheme evaluation error: [sandbox:chibi/log] log-open not available

(chibi/apropos:apropos "x" 1) =>error scheme evaluation error: [sandbox:chibi/apropos] apropos not available

(chibi/tar:tar-extract "x" 1) =>error scheme evaluation error: [sandbox:chibi/tar] tar-extract not available

(chibi/net:get-address-info "x" 1) =>error scheme evaluation error: [sandbox:chibi/net] get-address-info not available

(chibi/net/http:http-get "x" 1) =>error scheme evaluation error: [sandbox:chibi/net/http] http-get not available

(chibi/net/server:run-net-server "x" 1) =>error scheme evaluation error: [sandbox:chibi/net/server] run-net-server not available

(chibi/net/http-server:run-http-server "x" 1) =>error scheme evaluation error: [sandbox:chibi/net/http-server] run-http-server not available

(chibi/net/server-util:get-host "x" 1) =>error scheme evaluation error: [sandbox:chibi/net/server-util] get-host not available

(chibi/net/servlet:servlet-run "x" 1) =>error scheme evaluation error: [sandbox:chibi/net/servlet] servlet-run not available
