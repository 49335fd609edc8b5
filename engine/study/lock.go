package study

import "errors"

// errLocked is lock's error for a file that another process has.
var errLocked = errors.New("another process has it")
