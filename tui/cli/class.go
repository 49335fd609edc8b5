//go:build !js

package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/class"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// classroom is what the screen of a lecturer has beside its own; nil for nothing.
type classroom = app.More

// classListen is where a class listens unless it is said: for this machine alone.
const classListen = "127.0.0.1:2222"

// lecturerLine is app.Options.Line of a lecturer at the machine itself. At 120×40 and full speed a
// frame has 15 kB, and thirty of them are to pass in a second.
const lecturerLine = 3

// garbage is how much garbage there may be, in percent of what is in use, before it is collected.
// Go's own 100% would have forty students take more than 1 GB.
const garbage = 50

// hostKeyFile is where a room's key is kept, in the settings' folder.
const hostKeyFile = "class_host_key"

func (e *env) classCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "class",
		Short: "Hold a class: students join by SSH, each with a session of their own",
		Long: "Hold a class. The screen shows how to join, with a code, and each student who does gets this screen with a session of their own: " +
			"the one that the flags describe, with another seed. Your screen lists who is there, and draws everyone's ε against their error.\n" +
			"The room listens on this machine alone unless --listen says otherwise, as --listen :2222 does for all its networks. A student's screen reads and writes no file and starts no command.",
		Example: "psgld-tui class\npsgld-tui class --listen :2222 --students 30\npsgld-tui class --listen :2222 --lesson two-curvatures",
	}
	var from sessionFlags
	listen, name, students := classListen, "", 0
	c.Flags().Var(listenFlag{&listen}, "listen", "the address for SSH, such as :2222 for all networks")
	c.Flags().Var(textFlag{&name, "NAME"}, "lesson", "the lesson that you and the students begin with")
	must(c.RegisterFlagCompletionFunc("lesson", completeLessons))
	c.Flags().Var(countFlag{&students, "COUNT", 1, class.MaxStudents, fmt.Sprintf("a whole number, 1 to %d", class.MaxStudents)}, "students", fmt.Sprintf("seats in the room, 1 to %d; %d by default", class.MaxStudents, class.DefaultStudents))
	from.add(c)
	var o screenFlags
	o.addOnScreen(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !isTerminal(e.out.w) {
			return errors.New("a class needs a terminal, which shows the code")
		}
		if name != "" {
			if len(from.args) > 0 {
				return fmt.Errorf("--lesson %s brings a session of its own; leave out the flags of one", name)
			}
			var err error
			if o.lesson, err = findLesson(name); err != nil {
				return err
			}
			for k, v := range o.lesson.Scenes[0].Preset.Session {
				from.args[k] = v
			}
		}
		room, err := e.openRoom(c, &from, students, listen)
		if err != nil {
			return err
		}
		room.options.Lesson = o.lesson
		return room.hold(e, c, o)
	}
	return c
}

// A room is a class that can be opened.
type room struct {
	options class.Options
	listen  net.Listener
	opening opening
	join    class.Join
}

// openRoom opens the target of a class and listens.
func (e *env) openRoom(c *cobra.Command, from *sessionFlags, students int, listen string) (*room, error) {
	rt := from.runtime()
	cfg, p, moves, err := from.openTelling(new(loading.Loading))
	if err != nil {
		return nil, err
	}
	if err := e.findTruth(c.Context(), cfg, p, truths(rt.Threads)); err != nil {
		return nil, err
	}
	r := &room{options: class.Options{Students: students, Code: class.NewCode(), Config: cfg, Problem: p, Memory: share.NewMemory(class.Keyframes), Governor: new(share.Governor)}}
	if students == 0 {
		r.options.Students = class.DefaultStudents
	}
	r.options.CommandLine = func(s *engine.Snapshot) (string, error) { return grammar.SteeredLine(s) }
	if err := r.options.Validate(); err != nil {
		return nil, err
	}
	path := prefs.ConfigPath(hostKeyFile)
	if path == "" {
		return nil, failed(errors.New("there is no folder for the room's host key: neither $XDG_CONFIG_HOME nor $HOME is set"))
	}
	if r.options.Key, err = class.HostKey(path); err != nil {
		return nil, failed(err)
	}
	if r.listen, err = net.Listen("tcp", listen); err != nil {
		return nil, failed(fmt.Errorf("--listen %s: %w", listen, err))
	}
	r.join = joinOf(r.listen.Addr())
	rt.Replay = moves
	rt.Budget.Share = class.LecturerShare
	rt.Memory, rt.Governor, rt.Favoured = r.options.Memory, r.options.Governor, true
	r.opening = opening{
		what: opened(from.args), patience: patience(cfg.Target), again: from.again(), rt: rt,
		open: func(*loading.Loading, *session.Runtime) (engine.Config, *targets.Problem, error) { return cfg, p, nil },
	}
	return r, nil
}

// hold holds the class until its lecturer leaves.
func (r *room) hold(e *env, c *cobra.Command, o screenFlags) error {
	// Nothing that a student does is written to a file or to the lecturer's terminal.
	must(os.Unsetenv("TEA_TRACE"))
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	defer slog.SetDefault(log)
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	open, err := class.Open(r.listen, r.options)
	if err != nil {
		_ = r.listen.Close()
		return err
	}
	o.class = open.Board(r.join)
	err = e.show(c.Context(), r.opening, o)
	open.Close()
	told := open.Told()
	e.out.line("class: %s took a seat, %s", text.Counted(told.Came, "student"), text.Counted(told.Wrong, "wrong code"))
	return err
}

// listenFlag is an address to listen on.
type listenFlag struct{ to *string }

func (f listenFlag) Set(s string) error {
	host, port, err := net.SplitHostPort(s)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n > 65535 {
		return fmt.Errorf("must be HOST:PORT or :PORT, such as 127.0.0.1:2222, got %s", quoteUnlessNumber(s))
	}
	*f.to = net.JoinHostPort(host, port)
	return nil
}
func (f listenFlag) String() string { return classListen }
func (f listenFlag) Type() string   { return "ADDR" }

// joinOf is how a room at an address is joined.
func joinOf(a net.Addr) class.Join {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return class.Join{Line: a.String()}
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		host = "localhost"
	} else if ip == nil || ip.IsUnspecified() {
		host = ownAddress()
	}
	return class.Join{Line: "ssh -p " + port + " " + host, URL: "ssh://" + net.JoinHostPort(host, port)}
}

// ownAddress is an address of this machine that others know, or its name.
func ownAddress() string {
	all, _ := net.InterfaceAddrs()
	for _, v4 := range [...]bool{true, false} {
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && (n.IP.To4() != nil) == v4 {
				return n.IP.String()
			}
		}
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}
