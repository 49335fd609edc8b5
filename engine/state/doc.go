// Package state is what a session is beside its chains, and what each command makes of that.
//
// A [Config] begins a [State], and [Apply] is what a [Command] makes of one: it changes nothing in place, opens nothing
// and waits for nothing. A session, the screen, which shows at once what it has sent, and a plan of moves all use it.
// A command is one file: its type, its Kind, what it does, and what it does to the lanes' odometers.
package state
