package state

// Undo takes back the newest change of settings, and Redo makes it again.
type (
	Undo struct{}
	Redo struct{}
)

var _, _ = recorded[Undo](), recorded[Redo]()

func (Undo) Kind() string { return "undo" }
func (Redo) Kind() string { return "redo" }

func (Undo) apply(s *State) (Fact, error) { return s.reverse(Undone, s.Undo.Undo) }
func (Redo) apply(s *State) (Fact, error) { return s.reverse(Redone, s.Undo.Redo) }
