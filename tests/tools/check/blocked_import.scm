(import (scheme base)
        (tein http))
