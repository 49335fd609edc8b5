// Package lesson has the lessons of the program.
//
// A lesson is a few guided scenes. A scene sets the screen, asks a question that the user answers before the session
// runs, names a goal that is checked from the live numbers, and then reveals what happened.
//
// How it works. A [Lesson] is read from its file (read.go). The conditions and texts in it are parsed at once
// (condition.go, text.go), and their quantities looked up (quantity.go). A [Run] is the progress of a lesson as a
// value. Whoever plays one gives every snapshot to [Run.See], which evaluates the goal on it. [Run.Card] is what is to
// be shown then. Package control/lesson plays one on the screen, and [Play] without one, to test it.
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
//	question = "Which one …?"        # the session is paused until it is answered
//	choices = ["…", "…"]             # 2 to 9
//	answer = 2                       # the second is right
//	do = "What the user is to do."
//	goal = "tau(A) < 8 and draws(A) >= 2000"
//	hints = ["…", "…"]               # shown one by one, when asked for
//	reveal = "What happened: τ is {tau(A)}."
//	moves = "eps=0.3; run 20000"
//	claims = "tau(B) > 2 * tau(A)"
//
// The session runs on after the goal is reached. A reveal has the numbers of when it was, and says at which step.
//
// The session is what follows psgld-tui on a command line. The first scene must have one. A scene without one goes on
// with the session at hand. The screen is set by view (a view's name), x_axis (step, epoch, gradient or clock), log_x,
// log_y, linked, speed (steps a second, 0 for full speed), lane (the focused one), param (the key of the selected
// parameter) and shift (of the test images, as in "noise 60", for the view of predictions). What a scene leaves out
// stays as it was (the speed as the scene before wanted it), or is the default if the scene starts a session. In texts,
// an empty line parts paragraphs and other line breaks are blanks.
//
// The moves reach the goal, and the claims say in numbers what the texts say in words. `lesson test` makes the moves
// without a screen. It checks that the goal holds after them, that the claims then hold too, and that the goal does not
// hold before, even if the session had run on for days in the scene before. Moves are as package grammar reads them,
// each for all lanes or for the one whose letter it begins with:
//
//	eps=0.3; B lambda=1; run 20000   # a parameter by its key, lr or schedule
//	B back 200 0.5; restart; seed 3  # by a number of steps, with a factor of ε
//	A add sgld; B sampler psgld; C remove; undo
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
// A NUMBER is a decimal one such as 2000, -1 or 1e-5, and a LANE is A, B, C or D. A chain
// a < b < c is a < b and b < c. A side alone must be a quantity that is yes or no, such as
// diverged(A). Numbers are equal if they differ by less than 1e-9 of the larger.
//
// quantityNames lists the quantities: the numbers of a lane by their keys, and every parameter of a sampler by its key,
// with underscores or dashes. With _before they are those of the draws before the newest change of settings. draws
// counts from that change on, and new_draws from the change or the beginning of the scene, whichever is later. A scene
// without a session of its own wants new_draws, since nobody waited for the draws of the scene before.
//
// A quantity is not known if there are too few draws to trust it, if its lane is missing or has diverged, or if the
// target or the sampler does not have it. A comparison with it is unknown: "not" of it is unknown, "and" is false if a
// part is false and else unknown, "or" is true if a part is true and else unknown. A goal is reached when it is true.
//
// On the card a comparison of counts (draws, steps) is not ticked while a part of the goal
// that is about settings alone is not true.
package lesson
