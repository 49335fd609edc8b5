package state

// Phase is what a session is doing.
type Phase uint8

// The phases.
const (
	Running Phase = iota
	Paused
	Done        // a limit was reached
	AllDiverged // every lane has diverged
)

func (p Phase) String() string {
	return [...]string{"running", "paused", "done", "diverged"}[p]
}
