package engine

import "github.com/psgld/psgld-tui/engine/state"

// A Notice is the newest thing to tell the user. Serial tells a repeated one from an old one.
type Notice struct {
	Serial  uint64
	Applied uint64     // how many commands the session had done when it told this
	Fact    state.Fact // nil before there is anything to tell
}

// Err is why something was refused or has failed, nil for any other fact.
func (n Notice) Err() error {
	switch f := n.Fact.(type) {
	case state.Refused:
		return f.Err
	case state.ReplayEnded:
		return f.Err
	}
	return nil
}
