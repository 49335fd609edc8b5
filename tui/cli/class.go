//go:build !js

package cli

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/targets/tool/regular"
	"github.com/psgld/psgld-tui/tui/class"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// classroom is what the screen of a lecturer has beside its own; nil for nothing.
type classroom = *class.Board

// classListen is where a class listens unless it is said: for this machine alone.
const classListen = "127.0.0.1:2222"

// classWeb is where a class may listen for browsers on this machine alone.
const classWeb = "127.0.0.1:8080"

// lecturerLine is app.Options.Line of a lecturer at the machine itself. At 120×40 and full speed a
// frame has 15 kB, and thirty of them are to pass in a second.
const lecturerLine = 3

// hostKeyFile is where a room's key is kept, in the settings' folder.
const hostKeyFile = "class_host_key"

func (e *env) classCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "class",
		Short: "Hold a class: students join by SSH or in a browser, each with a session of their own",
		Long: "Hold a class. The screen shows how to join, with a code, and each student who does gets this screen " +
			"with a session of their own: " +
			"the one that the flags describe, with another seed. Your screen lists who is there, and draws " +
			"everyone's ε against their error. Students follow it or steer their own, and predict together in a " +
			"lesson.\n" +
			"The room listens on this machine alone unless --listen says otherwise, as --listen :2222 does for all " +
			"its networks. A student's screen reads and writes no file and starts no command.\n" +
			"With --web they need no more than a browser. Off this machine that takes a certificate.",
		Example: "psgld-tui class\npsgld-tui class --listen :2222 --students 30\npsgld-tui class --listen :2222 " +
			"--lesson two-curvatures\npsgld-tui class --listen :2222 --web :8443 --tls-cert fullchain.pem " +
			"--tls-key privkey.pem",
	}
	from := sessionFlags{tell: e.Tell}
	listen, name, summary, keys, students, perAddress := classListen, "", "", "", class.DefaultStudents, 0
	addAddress(c, &listen, "listen", classListen, 0, "the address for SSH, such as :2222 for all networks")
	var web class.Web
	addAddress(c, &web.Addr, "web", classWeb, 1,
		"an address for browsers too, such as "+classWeb+", or :8443 for all networks")
	var cert, key, names string
	addText(c, &cert, "tls-cert", "FILE", "the certificate of --web, with those that sign it")
	addText(c, &key, "tls-key", "FILE", "the private key of --tls-cert")
	addText(c, &names, "web-name", "NAME,…",
		"names by which browsers may ask for the page of --web, beside its address, those of this machine and "+
			"those of its certificate")
	addText(c, &name, "lesson", "NAME", "the lesson that you and the students begin with")
	console.Must(c.RegisterFlagCompletionFunc("lesson", completeLessons))
	addCount(c, &students, "students", "COUNT", class.MaxStudents,
		fmt.Sprintf("a whole number, 1 to %d", class.MaxStudents),
		fmt.Sprintf("seats in the room, 1 to %d; %d by default", class.MaxStudents, class.DefaultStudents))
	addCount(c, &perAddress, "seats-per-address", "COUNT", class.MaxStudents,
		fmt.Sprintf("a whole number, 1 to %d", class.MaxStudents),
		"seats that one address may hold; without it as many as there are, since a room may be behind one")
	addText(c, &summary, "summary", "DIR",
		"the folder of the summary, which is kept up while the class lasts: students.csv, answers.csv, summary.md; "+
			"by default one named by the time, in this folder")
	addText(c, &keys, "keys", "FILE",
		"public keys of the students, a line each as in OpenSSH's authorized_keys: who has one comes in, and "+
			"nobody else; without it everyone who has the code")
	from.add(c)
	var o screenFlags
	o.addOnScreen(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !console.IsTerminal(e.Out.W) {
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
			maps.Copy(from.args, o.lesson.Scenes[0].Preset.Session)
		}
		known, err := publicKeys(keys)
		if err != nil {
			return err
		}
		if len(known) > 0 && web.Addr != "" {
			return errors.New("--keys is for SSH: a browser has none, so leave out --web or --keys")
		}
		site, err := openSite(&web, cert, key, names)
		if err != nil {
			return err
		}
		options := class.Options{Students: students, PerAddress: perAddress, Code: class.NewCode(), Keys: known,
			Web: web, Lesson: o.lesson, OfFiles: ofFiles(c.Root())}
		return e.holdClass(c, &from, options, listen, site, summary, o)
	}
	return c
}

// holdClass opens the target of a class, listens, and holds the class until its lecturer leaves.
// The site is for browsers, empty for none. The summary goes to a folder, which is named by the
// time if its name is empty. That it can be written is known before the class begins.
func (e *env) holdClass(c *cobra.Command, from *sessionFlags, o class.Options, listen, site, summary string,
	f screenFlags) error {
	cfg, p, rt, err := from.open()
	if err != nil {
		return err
	}
	if err := e.findTruth(c.Context(), cfg, p, truths(rt.Threads)); err != nil {
		return err
	}
	cfg.Ranked = cmp.Or(cfg.Ranked, class.Ranked)
	o.Config, o.Problem, o.Memory, o.Governor = cfg, p, share.NewMemory(class.Keyframes), new(share.Governor)
	if err := o.Validate(); err != nil {
		return err
	}
	path := prefs.ConfigPath(hostKeyFile)
	if path == "" {
		return console.Failed(errors.New("there is no folder for the room's host key: neither $XDG_CONFIG_HOME nor " +
			"$HOME is set"))
	}
	if o.Key, err = class.HostKey(path); err != nil {
		return console.Failed(err)
	}
	summary = named(summary, "")
	if _, err := writeFolder(summary, true, false, new(class.Summary).Files()); err != nil {
		return console.Failed(fmt.Errorf("the summary: %w; --summary DIR is another place", err))
	}
	o.Write = func(s class.Summary) (string, error) { return writeFolder(summary, true, true, s.Files()) }
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return console.Failed(fmt.Errorf("--listen %s: %w", listen, err))
	}
	// Nothing that a student does is written to a file or to the lecturer's terminal.
	console.Must(os.Unsetenv("TEA_TRACE"))
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	defer slog.SetDefault(log)
	room, err := class.Open(l, o)
	if err != nil {
		_ = l.Close()
		return console.Failed(err)
	}
	defer room.Close()
	f.class = room.Board(joinOf(l.Addr(), site))
	rt.Budget.Share = class.LecturerShare
	rt.Memory, rt.Governor, rt.Favoured = o.Memory, o.Governor, true
	err = e.show(c.Context(), opening{
		what: opened(from.args), patience: patience(cfg.Target), again: from.again(), rt: rt,
		open: func(*loading.Loading, *session.Runtime) (state.Config, *targets.Problem, error) { return cfg, p, nil },
	}, f)
	room.Close()
	told := room.Told()
	e.Out.Line("class: %s took a seat, %s", text.Counted(told.Came, "student"), text.Counted(told.Wrong, "wrong code"))
	if told.Came > 0 {
		where, wrong := room.WriteSummary()
		if wrong != nil {
			return cmp.Or(err, console.Failed(wrong))
		}
		e.Out.Line("the summary is in %s", where)
	}
	return err
}

// publicKeys reads a file of public keys; an empty name has none.
func publicKeys(path string) (all []ssh.PublicKey, err error) {
	if path == "" {
		return nil, nil
	}
	rest, err := regular.Read(path, mostKeys)
	if err != nil {
		return nil, console.Failed(fmt.Errorf("--keys: %w", err))
	}
	for line, text := range strings.Split(string(rest), "\n") {
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(text))
		if err != nil {
			return nil, console.Failed(fmt.Errorf("%s:%d: no public key as OpenSSH's authorized_keys has them",
				printable.Line(path), line+1))
		}
		all = append(all, key)
	}
	if len(all) == 0 {
		return nil, console.Failed(fmt.Errorf("--keys: %s has no key", printable.Line(path)))
	}
	return all, nil
}

// mostKeys bounds the bytes of a file of keys.
const mostKeys = 1 << 20

// hostNames are names of hosts without a port.
var hostNames = regexp.MustCompile(`^[\w.-]+(,[\w.-]+)*$`)

// addAddress adds a flag that is an address to listen on, such as the one given, with a port from least on.
func addAddress(c *cobra.Command, to *string, name, like string, least uint64, doc string) {
	c.Flags().Var(readFlag{"ADDR", *to, func(s string) error {
		host, port, err := net.SplitHostPort(s)
		if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n < least {
			return fmt.Errorf("must be HOST:PORT or :PORT, such as %s, got %s", like, quoteUnlessNumber(s))
		}
		*to = net.JoinHostPort(host, port)
		return nil
	}}, name, doc)
}

// joinOf is how a room at an address is joined, and by a site for browsers, if there is one.
func joinOf(a net.Addr, site string) class.Join {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return class.Join{Line: a.String(), Web: site, URL: site}
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		host = "localhost"
	} else if ip == nil || ip.IsUnspecified() {
		host = ownAddress()
	}
	return class.Join{Line: "ssh -p " + port + " " + host, Web: site,
		URL: cmp.Or(site, "ssh://"+net.JoinHostPort(host, port))}
}

// openSite completes a web's door by files for TLS and names. It returns the address by which browsers
// reach it, empty if there is none.
func openSite(w *class.Web, cert, key, names string) (string, error) {
	host, port, err := net.SplitHostPort(w.Addr)
	ip := net.ParseIP(host)
	w.Names = strings.Split(names, ",")
	switch {
	case w.Addr+cert+key+names == "":
		return "", nil
	case err != nil:
		return "", errors.New("--tls-cert, --tls-key and --web-name are for --web, which is missing")
	case names != "" && !hostNames.MatchString(names):
		return "", fmt.Errorf("--web-name must be names of hosts without a port, such as class.example.org, got %q",
			names)
	case (cert == "") != (key == ""):
		return "", errors.New("--tls-cert FILE and --tls-key FILE need each other, got only one")
	case cert == "" && (host == "localhost" || ip.IsLoopback()):
		return "http://" + w.Addr, nil
	case cert == "":
		return "", fmt.Errorf("--web %s is open to other machines and needs --tls-cert FILE and --tls-key FILE; "+
			"without them it must be on this one, such as %s", strings.TrimPrefix(w.Addr, "[]"),
			net.JoinHostPort("127.0.0.1", port))
	}
	chain, err := regular.Read(cert, mostKeys)
	private, wrong := regular.Read(key, mostKeys)
	pair, unfit := tls.X509KeyPair(chain, private)
	if err := cmp.Or(err, wrong, unfit); err != nil {
		return "", console.Failed(fmt.Errorf("--tls-cert %s, --tls-key %s: %w", cert, key, err))
	}
	w.TLS = &pair
	if host == "" || ip.IsUnspecified() {
		host = ownAddress()
		first := cmp.Or(w.Names[0], append(pair.Leaf.DNSNames, "*")[0])
		if pair.Leaf.VerifyHostname(host) != nil && !strings.HasPrefix(first, "*") {
			host = first
		}
	}
	return "https://" + net.JoinHostPort(host, port), nil
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
