(define-library (harness docs)
  (export hooks-docs harness-tools-docs)
  (import (scheme base))
  (begin
    (define hooks-docs
      '((__module__ . "harness hooks")
        (pre_tool . "category: tool | can modify: yes\n  payload: tool_name (string): the tool, arguments (object): its arguments\n  returns: arguments (object) | block (boolean), message (string)")
        (post_tool . "category: tool | can modify: no\n  payload: tool_name (string): the tool, arguments (object): its arguments, result (string): what it gave, cached (boolean): from a cache\n  returns: (observe only)")
        (pre_tool_output . "category: tool | can modify: yes\n  payload: tool_name (string): the tool, arguments (object): its arguments, output (string): what it gave\n  returns: output (string) | block (boolean), message (string)")
        (post_tool_output . "category: tool | can modify: no\n  payload: tool_name (string): the tool, arguments (object): its arguments, output (string): what it gave, final_output (string): what the model sees, cached (boolean): from a cache\n  returns: (observe only)")
        (pre_fetch_url . "category: permission | can modify: yes\n  payload: tool_name (string): the tool, url (string): the address, safety (string): its class, reason (string): why, summary (string): the call in short\n  returns: denied (boolean), reason (string)")
        (pre_api_tools . "category: api | can modify: yes\n  payload: context_name (string): who asks, tools (array): names and types\n  returns: include (array), exclude (array)")))
    (define harness-tools-docs
      '((__module__ . "harness tools")
        (define-tool . "(define-tool NAME (description TEXT) (parameters ALIST) (execute PROC) [(category WORD)] [(summary-params NAMES)]): defines a tool")
        (call-tool . "(call-tool NAME ARGUMENTS): runs another tool and returns its text")
        (register-hook . "(register-hook 'NAME PROC): PROC gets the payload of each event")
        (generate-id . "(generate-id): eight random hexadecimal digits")
        (current-timestamp . "(current-timestamp): the time in UTC as YYYYMMDD-HHMMz")))))
