package console

import "errors"

// ErrNoScreen says what goes without a screen: neither Bubble Tea nor the clipboard builds for js.
var ErrNoScreen = errors.New("WebAssembly has no screen; run, sweep, reproduce, check and replay --verify work " +
	"without one")
