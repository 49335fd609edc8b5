// Package keymap holds the one table of keys. It drives the dispatch, the help,
// the footer's hint, the command palette and the list of keys in the README.
package keymap

import "fmt"

// An Action is what a key asks for.
type Action uint8

// The actions.
const (
	None Action = iota

	Pause
	Step
	Slower
	Faster
	Restart
	NewSeed
	RewindHalf
	Rewind
	Race

	SelectPrev
	SelectNext
	TurnDown
	TurnUp
	CoarseDown
	CoarseUp
	Type
	Undo
	Redo

	NextLane
	PrevLane
	Link
	AddLane
	RemoveLane
	Sampler
	Target

	View1
	View2
	View3
	View4
	View5
	XAxis
	LogAxes
	WatchX
	WatchY
	Principal
	NextPredictions
	PrevPredictions

	Palette
	Help
	Back
	Copy
	Write
	Quit

	Prev
	Next
	PagePrev
	PageNext
	Take
	Cancel

	CharLeft
	CharRight
	LineStart
	LineEnd
	DeleteBack
	DeleteForward
	DeleteWord
	DeleteToStart
	DeleteToEnd

	actions // the number of actions
)

// A Context is a state of the program in which keys have a meaning of their
// own.
type Context uint8

// The contexts.
const (
	Main   Context = iota // no overlay is open and nothing is typed
	Choose                // a list or the help is open
	Edit                  // text is typed: for a value or a list's filter
	Always                // whatever is open
)

// A Group is a heading of the help.
type Group string

// The groups, in the order in which they are shown.
const (
	Running    Group = "Running"
	Parameters Group = "Parameters"
	Lanes      Group = "Lanes and targets"
	Views      Group = "Views"
	General    Group = "General"
	Lists      Group = "In lists"
	Typing     Group = "While typing"
)

// A Binding gives an action its keys and its words.
type Binding struct {
	Action  Action
	Context Context
	Keys    []string // as Bubble Tea names them
	// Name is what the palette calls the action; empty for an action that it
	// does not offer.
	Name string
	// Help says what the action does. Neighbours with the same Help share a
	// line.
	Help  string
	Group Group
	// Hint is the word for the footer, empty for none. Neighbours with the
	// same Hint share an entry.
	Hint string
	// Rank orders the hints by importance, 1 first.
	Rank int
}

// Table returns every binding, in the order of the help.
func Table() []Binding {
	return []Binding{
		{Action: Pause, Keys: keys("space"), Name: "pause", Help: "pause or go on", Group: Running, Hint: "pause", Rank: 3},
		{Action: Step, Keys: keys("."), Name: "step", Help: "one step, then pause", Group: Running},
		{Action: Slower, Keys: keys("<", "["), Name: "slower", Help: "slower, faster: 1 … 1k steps/s, full", Group: Running},
		{Action: Faster, Keys: keys(">", "]"), Name: "faster", Help: "slower, faster: 1 … 1k steps/s, full", Group: Running},
		{Action: Restart, Keys: keys("R"), Name: "restart", Help: "restart on the same seed", Group: Running},
		{Action: NewSeed, Keys: keys("N"), Name: "new seed", Help: "restart on the next seed", Group: Running},
		{Action: RewindHalf, Keys: keys("r"), Name: "rewind and halve ε", Help: "diverged: back 200 steps, half the ε", Group: Running},
		{Action: Rewind, Keys: keys("b"), Name: "rewind", Help: "back 200 steps, same ε", Group: Running},
		{Action: Race, Keys: keys("m"), Name: "lockstep or race", Help: "step together, or race by the clock", Group: Running},

		{Action: SelectPrev, Keys: keys("up", "k"), Name: "previous parameter", Help: "select a parameter", Group: Parameters},
		{Action: SelectNext, Keys: keys("down", "j"), Name: "next parameter", Help: "select a parameter", Group: Parameters},
		{Action: TurnDown, Keys: keys("left", "-"), Name: "turn down", Help: "turn it", Group: Parameters, Hint: "turn", Rank: 4},
		{Action: TurnUp, Keys: keys("right", "+"), Name: "turn up", Help: "turn it", Group: Parameters, Hint: "turn", Rank: 4},
		{Action: CoarseDown, Keys: keys("shift+left", "pgdown"), Name: "turn far down", Help: "turn it far", Group: Parameters},
		{Action: CoarseUp, Keys: keys("shift+right", "pgup"), Name: "turn far up", Help: "turn it far", Group: Parameters},
		{Action: Type, Keys: keys("enter"), Name: "type a value", Help: "type a value", Group: Parameters, Hint: "type", Rank: 7},
		{Action: Undo, Keys: keys("z"), Name: "undo", Help: "undo, redo", Group: Parameters},
		{Action: Redo, Keys: keys("Z"), Name: "redo", Help: "undo, redo", Group: Parameters},

		{Action: NextLane, Keys: keys("tab"), Name: "next lane", Help: "focus another lane", Group: Lanes, Hint: "lane", Rank: 5},
		{Action: PrevLane, Keys: keys("shift+tab"), Name: "previous lane", Help: "focus another lane", Group: Lanes},
		{Action: Link, Keys: keys("l"), Name: "link lanes", Help: "turn all lanes, or the focused one", Group: Lanes},
		{Action: AddLane, Keys: keys("a"), Name: "add a lane", Help: "add a lane", Group: Lanes},
		{Action: RemoveLane, Keys: keys("x"), Name: "remove the lane", Help: "remove the focused lane", Group: Lanes},
		{Action: Target, Keys: keys("t"), Name: "target …", Help: "choose a target", Group: Lanes, Hint: "target", Rank: 6},
		{Action: Sampler, Keys: keys("s"), Name: "sampler …", Help: "choose the focused lane's sampler", Group: Lanes, Hint: "sampler", Rank: 8},

		{Action: View1, Keys: keys("1"), Name: "view: stage", Help: "stage, diagnostics, learning", Group: Views, Hint: "view", Rank: 9},
		{Action: View2, Keys: keys("2"), Name: "view: diagnostics", Help: "stage, diagnostics, learning", Group: Views, Hint: "view", Rank: 9},
		{Action: View3, Keys: keys("3"), Name: "view: learning", Help: "stage, diagnostics, learning", Group: Views, Hint: "view", Rank: 9},
		{Action: View4, Keys: keys("4"), Name: "view: weights", Help: "weights, predictions", Group: Views, Hint: "view", Rank: 9},
		{Action: View5, Keys: keys("5"), Name: "view: predictions", Help: "weights, predictions", Group: Views, Hint: "view", Rank: 9},
		{Action: NextPredictions, Keys: keys("n", ")"), Name: "next predictions", Help: "predictions: the next, those before", Group: Views},
		{Action: PrevPredictions, Keys: keys("P", "("), Name: "previous predictions", Help: "predictions: the next, those before", Group: Views},
		{Action: XAxis, Keys: keys("X"), Name: "x axis", Help: "against steps, epochs, gradients, time", Group: Views},
		{Action: LogAxes, Keys: keys("L"), Name: "log axes", Help: "logarithmic axes", Group: Views},
		{Action: WatchX, Keys: keys("c"), Name: "watch: next on the x axis", Help: "next coordinate on the x, y axis", Group: Views},
		{Action: WatchY, Keys: keys("C"), Name: "watch: next on the y axis", Help: "next coordinate on the x, y axis", Group: Views},
		{Action: Principal, Keys: keys("p"), Name: "watch: principal directions", Help: "the draws' principal directions", Group: Views},

		{Action: Palette, Keys: keys(":"), Help: "any command by name, as in eps 0.3", Group: General, Hint: "command", Rank: 10},
		{Action: Copy, Keys: keys("y"), Name: "copy the command line", Help: "copy the command line of this session", Group: General},
		{Action: Write, Keys: keys("w"), Name: "write", Help: "write the session and its draws", Group: General},
		{Action: Help, Keys: keys("?"), Name: "help", Help: "this help", Group: General, Hint: "help", Rank: 1},
		{Action: Back, Keys: keys("esc"), Help: "back; clear the notice", Group: General},
		{Action: Quit, Keys: keys("q"), Name: "quit", Help: "quit", Group: General, Hint: "quit", Rank: 2},
		{Action: Quit, Context: Always, Keys: keys("ctrl+c"), Help: "quit", Group: General},

		{Action: Prev, Context: Choose, Keys: keys("up", "ctrl+p"), Help: "move", Group: Lists, Hint: "move", Rank: 2},
		{Action: Next, Context: Choose, Keys: keys("down", "ctrl+n"), Help: "move", Group: Lists, Hint: "move", Rank: 2},
		{Action: PagePrev, Context: Choose, Keys: keys("pgup"), Help: "move by a page", Group: Lists},
		{Action: PageNext, Context: Choose, Keys: keys("pgdown"), Help: "move by a page", Group: Lists},
		{Action: Take, Context: Choose, Keys: keys("enter"), Help: "take it", Group: Lists, Hint: "take", Rank: 1},
		{Action: Cancel, Context: Choose, Keys: keys("esc"), Help: "back", Group: Lists, Hint: "back", Rank: 1},

		{Action: Take, Context: Edit, Keys: keys("enter"), Help: "set the value", Group: Typing, Hint: "set", Rank: 1},
		{Action: Cancel, Context: Edit, Keys: keys("esc"), Help: "leave it", Group: Typing, Hint: "cancel", Rank: 1},
		{Action: CharLeft, Context: Edit, Keys: keys("left", "ctrl+b"), Help: "move the cursor", Group: Typing},
		{Action: CharRight, Context: Edit, Keys: keys("right", "ctrl+f"), Help: "move the cursor", Group: Typing},
		{Action: LineStart, Context: Edit, Keys: keys("home", "ctrl+a"), Help: "to the start, the end", Group: Typing},
		{Action: LineEnd, Context: Edit, Keys: keys("end", "ctrl+e"), Help: "to the start, the end", Group: Typing},
		{Action: DeleteBack, Context: Edit, Keys: keys("backspace", "ctrl+h"), Help: "delete a character", Group: Typing},
		{Action: DeleteForward, Context: Edit, Keys: keys("delete", "ctrl+d"), Help: "delete a character", Group: Typing},
		{Action: DeleteWord, Context: Edit, Keys: keys("ctrl+w", "alt+backspace"), Help: "delete a word", Group: Typing},
		{Action: DeleteToStart, Context: Edit, Keys: keys("ctrl+u"), Help: "delete to the start, the end", Group: Typing},
		{Action: DeleteToEnd, Context: Edit, Keys: keys("ctrl+k"), Help: "delete to the start, the end", Group: Typing},
	}
}

func keys(k ...string) []string { return k }

// A Map finds the action of a key.
type Map struct {
	table  []Binding
	action map[slot]Action
}

type slot struct {
	context Context
	key     string
}

// New returns the Map of Table. It panics if the table gives one key two
// meanings in a context.
func New() *Map {
	m := &Map{table: Table(), action: map[slot]Action{}}
	for _, b := range m.table {
		for _, k := range b.Keys {
			at := slot{b.Context, k}
			if old, ok := m.action[at]; ok {
				panic(fmt.Sprintf("keymap: %q stands for actions %d and %d", k, old, b.Action))
			}
			m.action[at] = b.Action
		}
	}
	return m
}

// Action returns what a key asks for in the first of the contexts in which it
// has a meaning; None without one.
func (m *Map) Action(key string, contexts ...Context) Action {
	for _, c := range contexts {
		if a, ok := m.action[slot{c, key}]; ok {
			return a
		}
	}
	return None
}

// Key returns the first key of an action, for messages such as "press r".
func (m *Map) Key(a Action) string {
	for _, b := range m.table {
		if b.Action == a {
			return Label(b.Keys[0])
		}
	}
	return ""
}

// Bindings returns the table. The caller does not change it.
func (m *Map) Bindings() []Binding { return m.table }
