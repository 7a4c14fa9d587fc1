(define-library (tein toml)
  (export toml-parse toml-stringify)
  (import (only (tein core) toml-parse toml-stringify)))
