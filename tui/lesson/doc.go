// Package lesson holds lessons: short guided scenes with a preset, a question
// that the user answers before seeing what happens, and a goal that is checked
// from the live numbers.
//
// # The file
//
// A lesson is a TOML file. Unknown keys are errors.
//
//	name = "two-curvatures"          # small letters, digits, dashes
//	title = "Two curvatures, one step size"
//	caption = "What the lesson is about."
//
//	[[scene]]                        # 1 to 32 of them, in order
//	title = "…"                      # may be missing
//	caption = """…"""                # what is to be seen
//	session = "--samplers psgld,sgld --eps 0.3 --seed 20"
//	question = "Which one …?"        # the session stands until it is answered
//	choices = ["…", "…"]             # 2 to 9
//	answer = 2                       # the second is right
//	do = "What the user is to do."
//	goal = "tau(A) < 8 and draws(A) >= 2000"
//	hints = ["…", "…"]               # shown one by one, when asked for
//	reveal = "What happened: τ is {tau(A)}."
//	moves = "eps=0.3; run 20000"
//	claims = "tau(B) > 2 * tau(A)"
//
// A reveal's numbers are those of when the goal was reached, and it says at which
// step that was; the session runs on.
//
// The session is what follows psgld-tui on a command line. The first scene must
// have one; a scene without one goes on with the session at hand. The screen is
// set by view (a view's name), x_axis (step, epoch, gradient or clock), log_x,
// log_y, linked, speed (steps a second, 0 for as fast as it goes), lane (the
// focused one) and param (the key of the parameter selected). What a scene leaves
// out stays as it was, or is the default where a session starts. In texts, line breaks are blanks and an empty line parts
// paragraphs.
//
// The moves are what reaches the goal: `lesson test` makes them without a screen,
// checks that the goal holds after them and not before, also had the session run on
// for days in the scene before, and that then the claims hold too, which say in numbers
// what the texts say in words. Moves are as package grammar reads them, each for all
// lanes or for the one whose letter it begins with:
//
//	eps=0.3; B lambda=1; run 20000   # a parameter by its key, lr or schedule
//	B back 200 0.5; restart; seed 3  # by a number of steps, with a factor of ε
//	A add sgld; B sampler psgld; C remove; undo
//
// They may also be a list of tables, of the keys run, set (with to), sampler, add (with
// like), remove, rewind (with factor), seed, restart and undo, and with lane.
//
// # Conditions
//
// A goal and claims are conditions:
//
//	condition  = all { "or" all }
//	all        = part { "and" part }
//	part       = "not" part | "(" condition ")" | comparison
//	comparison = side [ op side [ op side ] ]
//	op         = "<" | "<=" | ">" | ">=" | "=" | "!="
//	side       = NUMBER | word | [ NUMBER "*" ] quantity
//	quantity   = NAME "(" LANE ")" | "lanes"
//	word       = "on" | "off" | "never" | "full" | "inf"
//
// A NUMBER is a decimal one such as 2000, -1 or 1e-5; a LANE is A, B, C or D. A
// chain a < b < c is a < b and b < c. A side alone must be a quantity that is yes
// or no, diverged(A). = takes numbers for equal that differ by less than 1e-9 of
// the larger. QuantityNames lists the quantities: numbers that the engine shows of
// a lane, every parameter of a sampler by its key, with underscores or dashes, and
// with _before the same of the draws before the newest change of settings. draws
// counts from the newest change of settings on, new_draws from there or from the
// scene's beginning, whichever is later: it is what a scene without a session of
// its own wants, as draws of the scene before are none that were waited for.
//
// A comparison of counts (draws, steps) is not ticked on the card while a part of
// the goal that is about settings alone is not true.
//
// A quantity is not known while there are too few draws to trust it, of a lane
// that there is not or that has diverged, and where target or sampler have none.
// A comparison with one is unknown, which is not true: "not" of it is unknown,
// "and" is false if a part is false and else unknown, "or" is true if a part is
// true and else unknown. A goal is reached when it is true.
package lesson
