// Package keymap holds the one table of keys. It drives the dispatch, the help,
// the footer's hint, the command palette and the list of keys in the README.
package keymap

import (
	"fmt"
	"slices"
)

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
	View6
	XAxis
	LogAxes
	WatchX
	WatchY
	Principal
	NextPredictions
	PrevPredictions

	NextPane
	PrevPane
	PaneLeft
	PaneRight
	PaneUp
	PaneDown
	Maximise
	Projector
	Overlay
	Card
	Inspect
	ZoomIn
	ZoomOut
	ZoomAll
	PanLeft
	PanRight
	CrossLeft
	CrossRight
	CrossUp
	CrossDown
	CrossFarLeft
	CrossFarRight
	CrossFirst
	CrossLast
	Theme

	Browse
	ShiftKind
	ShiftKindBack
	ShiftDown
	ShiftUp
	ShiftFarDown
	ShiftFarUp
	ImagePrev
	ImageNext
	LeaveImages

	CellLeft
	CellRight
	CellFarLeft
	CellFarRight
	CellFirst
	CellLast
	CellJump
	GridPause
	GridAgain
	GridShorter
	GridLonger

	Lessons
	Answer
	NextScene
	PrevScene
	AskHint
	Again
	LessonCard
	ScrollDown
	ScrollUp
	LeaveLesson

	Tape
	TapeBack
	TapeForward
	TapeFarBack
	TapeFarForward
	TapeStepBack
	TapeStep
	TapePrevTurn
	TapeNextTurn
	TapeStart
	TapeEnd
	TapePlay
	TapePlayBack
	TapeType
	TapeDigit
	TapeLeave
	Sessions
	Before
	Film
	Picture

	Palette
	Help
	Words
	Back
	Copy
	Write
	Suspend
	Quit

	Prev
	Next
	PagePrev
	PageNext
	Search
	Complete
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
	Main    Context = iota // no overlay is open and nothing is typed
	Choose                 // a list or the help is open
	Edit                   // text is typed: for a value or a list's filter
	Always                 // whatever is open
	Reading                // values are read off a chart; other keys are those of Main
	Lesson                 // a lesson is on; other keys are those of Main
	Scrub                  // keys go along the tape; other keys are those of Main
	Images                 // images are chosen and shifted; other keys are those of Main
	Cells                  // the view of the grid is shown; other keys are those of Main
)

// A Group is a heading of the help.
type Group string

// The groups, in the order in which they are shown.
const (
	Running    Group = "Running"
	Parameters Group = "Parameters"
	Lanes      Group = "Lanes and targets"
	Views      Group = "Views"
	Panes      Group = "Panes and values"
	Teaching   Group = "Lessons"
	General    Group = "General"
	Along      Group = "Along the tape"
	Grid       Group = "The sweep"
	Lists      Group = "In lists"
	Typing     Group = "While typing"
	Mouse      Group = "With the mouse"
	ByName     Group = "By name"
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
		{Action: Undo, Keys: keys("z"), Name: "undo", Help: "undo, redo: values, lanes, the target", Group: Parameters},
		{Action: Redo, Keys: keys("Z"), Name: "redo", Help: "undo, redo: values, lanes, the target", Group: Parameters},

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
		{Action: View6, Keys: keys("6"), Name: "view: sweep", Help: "a grid over the selected parameter", Group: Views, Hint: "view", Rank: 9},
		{Action: NextPredictions, Keys: keys("n", ")"), Name: "next predictions", Help: "predictions: the next, those before", Group: Views},
		{Action: PrevPredictions, Keys: keys("P", "("), Name: "previous predictions", Help: "predictions: the next, those before", Group: Views},
		{Action: Browse, Keys: keys("i"), Name: "browse and shift images", Help: "predictions: arrows choose and shift", Group: Views},
		{Action: ShiftKind, Keys: keys("I"), Name: "shift the inputs", Help: "predictions: shift the inputs by what", Group: Views},
		{Action: ImagePrev, Context: Images, Keys: keys("up", "k"), Help: "images: the one before, the next", Group: Views, Hint: "choose", Rank: 3},
		{Action: ImageNext, Context: Images, Keys: keys("down", "j"), Help: "images: the one before, the next", Group: Views, Hint: "choose", Rank: 3},
		{Action: ShiftDown, Context: Images, Keys: keys("left", "h"), Help: "images: shift them less, more", Group: Views, Hint: "shift", Rank: 2},
		{Action: ShiftUp, Context: Images, Keys: keys("right", "l"), Help: "images: shift them less, more", Group: Views, Hint: "shift", Rank: 2},
		{Action: ShiftFarDown, Context: Images, Keys: keys("shift+left", "home"), Help: "images: to the ends of the shift", Group: Views},
		{Action: ShiftFarUp, Context: Images, Keys: keys("shift+right", "end"), Help: "images: to the ends of the shift", Group: Views},
		{Action: NextPredictions, Context: Images, Keys: keys("pgdown"), Help: "images: the next page, that before", Group: Views},
		{Action: PrevPredictions, Context: Images, Keys: keys("pgup"), Help: "images: the next page, that before", Group: Views},
		{Action: ShiftKind, Context: Images, Keys: keys("tab"), Help: "images: shift by something else", Group: Views, Hint: "by what", Rank: 4},
		{Action: ShiftKindBack, Context: Images, Keys: keys("shift+tab"), Help: "images: shift by something else", Group: Views},
		{Action: LeaveImages, Context: Images, Keys: keys("esc", "enter"), Help: "images: back", Group: Views, Hint: "back", Rank: 1},
		{Action: XAxis, Keys: keys("X"), Name: "x axis", Help: "against steps, epochs, gradients, time", Group: Views},
		{Action: LogAxes, Keys: keys("L"), Name: "log axes", Help: "logarithmic axes", Group: Views},
		{Action: WatchX, Keys: keys("c"), Name: "watch: next on the x axis", Help: "next coordinate on the x, y axis", Group: Views},
		{Action: WatchY, Keys: keys("C"), Name: "watch: next on the y axis", Help: "next coordinate on the x, y axis", Group: Views},
		{Action: Principal, Keys: keys("p"), Name: "watch: principal directions", Help: "the draws' principal directions", Group: Views},

		{Action: NextPane, Keys: keys("o"), Name: "next pane", Help: "focus another pane", Group: Panes},
		{Action: PrevPane, Keys: keys("O"), Name: "previous pane", Help: "focus another pane", Group: Panes},
		{Action: PaneLeft, Keys: keys("ctrl+left"), Help: "focus the pane that way", Group: Panes},
		{Action: PaneRight, Keys: keys("ctrl+right"), Help: "focus the pane that way", Group: Panes},
		{Action: PaneUp, Keys: keys("ctrl+up"), Help: "focus the pane that way", Group: Panes},
		{Action: PaneDown, Keys: keys("ctrl+down"), Help: "focus the pane that way", Group: Panes},
		{Action: Maximise, Keys: keys("f"), Name: "maximise the pane", Help: "the focused pane alone, or all", Group: Panes},
		{Action: Projector, Keys: keys("F"), Name: "projector mode", Help: "projector: one big pane, thick lines", Group: Panes},
		{Action: Overlay, Keys: keys("V"), Name: "lanes over each other", Help: "stage: lanes over each other", Group: Panes},
		{Action: Card, Keys: keys("d"), Name: "before and after", Help: "before and after the newest tweak", Group: Panes},
		{Action: Inspect, Keys: keys("v"), Name: "exact values", Help: "exact values of a chart", Group: Panes},
		{Action: ZoomIn, Keys: keys("="), Name: "zoom in", Help: "zoom in, out, show all", Group: Panes},
		{Action: ZoomOut, Keys: keys("_"), Name: "zoom out", Help: "zoom in, out, show all", Group: Panes},
		{Action: ZoomAll, Keys: keys("0"), Name: "show all of each axis", Help: "zoom in, out, show all", Group: Panes},
		{Action: PanLeft, Keys: keys("{"), Name: "move along, left", Help: "move what is zoomed", Group: Panes},
		{Action: PanRight, Keys: keys("}"), Name: "move along, right", Help: "move what is zoomed", Group: Panes},
		{Action: CrossLeft, Context: Reading, Keys: keys("left", "h"), Help: "values: move the cross", Group: Panes, Hint: "move", Rank: 3},
		{Action: CrossRight, Context: Reading, Keys: keys("right", "l"), Help: "values: move the cross", Group: Panes, Hint: "move", Rank: 3},
		{Action: CrossUp, Context: Reading, Keys: keys("up", "k"), Help: "values: move the cross", Group: Panes},
		{Action: CrossDown, Context: Reading, Keys: keys("down", "j"), Help: "values: move the cross", Group: Panes},
		{Action: CrossFarLeft, Context: Reading, Keys: keys("shift+left", "pgdown"), Help: "values: move it far", Group: Panes},
		{Action: CrossFarRight, Context: Reading, Keys: keys("shift+right", "pgup"), Help: "values: move it far", Group: Panes},
		{Action: CrossFirst, Context: Reading, Keys: keys("home"), Help: "values: to the first, the last", Group: Panes},
		{Action: CrossLast, Context: Reading, Keys: keys("end"), Help: "values: to the first, the last", Group: Panes},
		{Action: ZoomIn, Context: Reading, Keys: keys("+", "enter"), Help: "values: zoom about the cross", Group: Panes, Hint: "zoom", Rank: 4},
		{Action: ZoomOut, Context: Reading, Keys: keys("-"), Help: "values: zoom about the cross", Group: Panes, Hint: "zoom", Rank: 4},
		{Action: Back, Context: Reading, Keys: keys("esc"), Help: "values: back", Group: Panes, Hint: "back", Rank: 1},

		{Action: Lessons, Keys: keys("g"), Name: "lessons …", Help: "choose a lesson", Group: Teaching},
		{Action: Answer, Context: Lesson, Keys: keys("1", "2", "3", "4", "5", "6", "7", "8", "9"), Help: "lesson: answer, or twice for a view", Group: Teaching, Hint: "answer", Rank: 1},
		{Action: NextScene, Context: Lesson, Keys: keys("n"), Help: "lesson: the next scene, the one before", Group: Teaching, Hint: "next", Rank: 2},
		{Action: PrevScene, Context: Lesson, Keys: keys("backspace"), Help: "lesson: the next scene, the one before", Group: Teaching, Hint: "back", Rank: 6},
		{Action: AskHint, Context: Lesson, Keys: keys("h"), Help: "lesson: a hint", Group: Teaching, Hint: "hint", Rank: 3},
		{Action: Again, Context: Lesson, Keys: keys("A"), Help: "lesson: begin the scene again", Group: Teaching, Hint: "again", Rank: 7},
		{Action: LessonCard, Context: Lesson, Keys: keys("e"), Help: "lesson: more or less of its card", Group: Teaching, Hint: "card", Rank: 5},
		{Action: ScrollDown, Context: Lesson, Keys: keys("ctrl+d"), Help: "lesson: scroll its card", Group: Teaching},
		{Action: ScrollUp, Context: Lesson, Keys: keys("ctrl+u"), Help: "lesson: scroll its card", Group: Teaching},
		{Action: LeaveLesson, Context: Lesson, Keys: keys("esc"), Help: "leave the lesson, keep the session", Group: Teaching, Hint: "leave", Rank: 4},

		{Action: Theme, Keys: keys("T"), Name: "theme", Help: "colours: auto, dark, light", Group: General},
		{Action: Palette, Keys: keys(":"), Help: "any command by name, as in eps 0.3", Group: General, Hint: "command", Rank: 10},
		{Action: Copy, Keys: keys("y"), Name: "copy the command line", Help: "copy the command line of this session", Group: General},
		{Action: Write, Keys: keys("w"), Name: "write", Help: "save: write the session and its draws", Group: General},
		{Action: Sessions, Keys: keys("E"), Name: "open a session …", Help: "open a session that was written", Group: General},
		{Action: Before, Keys: keys("B"), Name: "session before", Help: "back to the session before this one", Group: General},
		{Action: Film, Keys: keys("ctrl+r"), Name: "record the screen", Help: "record the screen as a cast, or stop", Group: General},
		{Action: Picture, Keys: keys("W"), Name: "picture of the screen", Help: "the screen as SVG; :picture F.png", Group: General},
		{Action: Help, Keys: keys("?"), Name: "help", Help: "this help", Group: General, Hint: "help", Rank: 1},
		{Action: Words, Keys: keys("H"), Name: "what is this?", Help: "what the words of the pane mean", Group: General},
		{Action: Back, Keys: keys("esc"), Help: "back; clear the notice", Group: General},
		{Action: Suspend, Context: Always, Keys: keys("ctrl+z"), Name: "suspend", Help: "to the shell, whose fg comes back", Group: General},
		{Action: Quit, Keys: keys("q"), Name: "quit", Help: "quit", Group: General, Hint: "quit", Rank: 2},
		{Action: Quit, Context: Always, Keys: keys("ctrl+c"), Help: "quit", Group: General},

		{Action: Tape, Keys: keys("S"), Name: "tape: go along the session", Help: "go along the session, back and forth", Group: Along},
		{Action: TapeBack, Context: Scrub, Keys: keys("left", "h"), Help: "tape: by a hundredth of it", Group: Along, Hint: "go", Rank: 2},
		{Action: TapeForward, Context: Scrub, Keys: keys("right", "l"), Help: "tape: by a hundredth of it", Group: Along, Hint: "go", Rank: 2},
		{Action: TapeFarBack, Context: Scrub, Keys: keys("shift+left", "pgdown"), Help: "tape: by a tenth of it", Group: Along},
		{Action: TapeFarForward, Context: Scrub, Keys: keys("shift+right", "pgup"), Help: "tape: by a tenth of it", Group: Along},
		{Action: TapeStepBack, Context: Scrub, Keys: keys(","), Help: "tape: a step back, a step on", Group: Along, Hint: "step", Rank: 5},
		{Action: TapeStep, Context: Scrub, Keys: keys("."), Help: "tape: a step back, a step on", Group: Along, Hint: "step", Rank: 5},
		{Action: TapePrevTurn, Context: Scrub, Keys: keys("p"), Help: "tape: to just before a turn: last, next", Group: Along, Hint: "turn", Rank: 4},
		{Action: TapeNextTurn, Context: Scrub, Keys: keys("n"), Help: "tape: to just before a turn: last, next", Group: Along, Hint: "turn", Rank: 4},
		{Action: TapeStart, Context: Scrub, Keys: keys("home", "^"), Help: "tape: to its start, its end", Group: Along},
		{Action: TapeEnd, Context: Scrub, Keys: keys("end", "$"), Help: "tape: to its start, its end", Group: Along},
		{Action: TapePlay, Context: Scrub, Keys: keys("space"), Help: "tape: play it, or stop", Group: Along, Hint: "play", Rank: 3},
		{Action: TapePlayBack, Context: Scrub, Keys: keys("backspace", "b"), Help: "tape: play it backwards", Group: Along, Hint: "play back", Rank: 6},
		{Action: TapeType, Context: Scrub, Keys: keys("enter"), Help: "tape: type a step to go to", Group: Along, Hint: "type", Rank: 7},
		{Action: TapeDigit, Context: Scrub, Keys: keys("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), Help: "tape: the first digit of such a step", Group: Along},
		{Action: TapeLeave, Context: Scrub, Keys: keys("esc"), Help: "tape: stop; leave it", Group: Along, Hint: "leave", Rank: 1},

		{Action: CellLeft, Context: Cells, Keys: keys("left"), Help: "sweep: choose a cell", Group: Grid, Hint: "cell", Rank: 3},
		{Action: CellRight, Context: Cells, Keys: keys("right"), Help: "sweep: choose a cell", Group: Grid, Hint: "cell", Rank: 3},
		{Action: CellFarLeft, Context: Cells, Keys: keys("shift+left", "pgdown"), Help: "sweep: ten cells on", Group: Grid},
		{Action: CellFarRight, Context: Cells, Keys: keys("shift+right", "pgup"), Help: "sweep: ten cells on", Group: Grid},
		{Action: CellFirst, Context: Cells, Keys: keys("home"), Help: "sweep: to the first cell, the last", Group: Grid},
		{Action: CellLast, Context: Cells, Keys: keys("end"), Help: "sweep: to the first cell, the last", Group: Grid},
		{Action: CellJump, Context: Cells, Keys: keys("enter"), Help: "sweep: the session jumps to the cell", Group: Grid, Hint: "jump to it", Rank: 1},
		{Action: SelectPrev, Context: Cells, Keys: keys("up", "k"), Help: "sweep: over another parameter", Group: Grid, Hint: "parameter", Rank: 4},
		{Action: SelectNext, Context: Cells, Keys: keys("down", "j"), Help: "sweep: over another parameter", Group: Grid, Hint: "parameter", Rank: 4},
		{Action: TurnDown, Context: Cells, Keys: keys("-"), Help: "sweep: turn the session's value", Group: Grid, Hint: "turn", Rank: 6},
		{Action: TurnUp, Context: Cells, Keys: keys("+"), Help: "sweep: turn the session's value", Group: Grid, Hint: "turn", Rank: 6},
		{Action: GridShorter, Context: Cells, Keys: keys("("), Help: "sweep: shorter cells, longer ones", Group: Grid, Hint: "length", Rank: 7},
		{Action: GridLonger, Context: Cells, Keys: keys(")"), Help: "sweep: shorter cells, longer ones", Group: Grid, Hint: "length", Rank: 7},
		{Action: GridPause, Context: Cells, Keys: keys("P"), Help: "sweep: pause it or go on", Group: Grid, Hint: "pause it", Rank: 8},
		{Action: GridAgain, Context: Cells, Keys: keys("G"), Help: "sweep: anew about the present value", Group: Grid, Hint: "anew", Rank: 5},

		{Action: Prev, Context: Choose, Keys: keys("up", "ctrl+p"), Help: "move", Group: Lists, Hint: "move", Rank: 2},
		{Action: Next, Context: Choose, Keys: keys("down", "ctrl+n"), Help: "move", Group: Lists, Hint: "move", Rank: 2},
		{Action: PagePrev, Context: Choose, Keys: keys("pgup"), Help: "move by a page", Group: Lists},
		{Action: PageNext, Context: Choose, Keys: keys("pgdown"), Help: "move by a page", Group: Lists},
		{Action: Search, Context: Choose, Keys: keys("/"), Help: "in this help: search", Group: Lists},
		{Action: Complete, Context: Choose, Keys: keys("tab"), Help: "type what is selected", Group: Lists, Hint: "complete", Rank: 3},
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

// First returns the first key of an action, empty for one that has none.
func (m *Map) First(a Action) string {
	for _, b := range m.table {
		if b.Action == a {
			return b.Keys[0]
		}
	}
	return ""
}

// Key returns the first key of an action, for messages such as "press r".
func (m *Map) Key(a Action) string { return Label(m.First(a)) }

// Explain says what a key does in a context, empty if it has no meaning there.
func (m *Map) Explain(key string, c Context) string {
	for _, b := range m.table {
		if b.Context == c && slices.Contains(b.Keys, key) {
			return b.Help
		}
	}
	return ""
}

// Bindings returns the table. The caller does not change it.
func (m *Map) Bindings() []Binding { return m.table }
