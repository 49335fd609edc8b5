// Package source follows files of draws that other programs write, and gives their rows to a lane.
//
// How it works. A [Watch] has a goroutine for each file, which reads on as it grows (package drawsfile) and puts the
// rows of each chain into a spool. A [Feed] is the spools of all chains that there are, as a [targets.Source]. Another
// chain, or a file that begins anew, makes another Feed, and whoever shows it is told by what was given to Watch.First.
package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

const (
	pollEvery = 50 * time.Millisecond // while files grow
	restEvery = 250 * time.Millisecond
	lookEvery = time.Second // for new files of patterns
	atOnce    = 4096        // rows that are read before they are taken over
	// grace is how long the first chain waits for those of other files that are there.
	grace = 300 * time.Millisecond
	// manyColumns is from where on the first fewColumns are shown.
	manyColumns, fewColumns = 200, 30
	// lagging is the part of the longest chain's draws below which one that has ended is left out.
	lagging = 0.5
)

// Options are what is followed.
type Options struct {
	state.Watched
	Names []string      // of the target's coordinates; nil to take those of the first file
	Among []string      // a reference's: of the first file's columns those are taken, where it has any
	Place bool          // as many columns of no name of their own are these coordinates, by place
	Idle  time.Duration // without growth, after which a writer is taken to be done
	Stdin io.Reader
	Tell  func(line string) // may be called from any goroutine
}

// A UsageError is about what was asked for, and not about a file.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// A Watch follows files until its context ends.
type Watch struct {
	o       Options
	ctx     context.Context
	mu      sync.Mutex
	changed func() // guarded, like all that follows
	names   []string
	tracks  []*track
	failed  error
	feed    *Feed
	notify  func()
	active  time.Time // when something came last
	ended   atomic.Bool
}

// A track is a file and what was read of it.
type track struct {
	path           string
	spools         []*spool // of its chains
	ended, missing bool
	skipped        int
	cut            bool // its last line has no end
	bytes          int64
	pipe           bool
}

// rows is how many draws the longest chain of the file has.
func (t *track) rows() uint64 { return list.Max(t.spools, func(s *spool) uint64 { return s.n.Load() }) }

// Open begins to follow files. The error is about the patterns.
func Open(ctx context.Context, o Options) (*Watch, error) {
	w := &Watch{o: o, ctx: ctx, notify: func() {}, changed: func() {}, active: time.Now()}
	if w.names = o.Names; w.names == nil && len(o.Columns) > 0 {
		w.names = o.Columns
	}
	for _, p := range o.Patterns {
		if _, err := filepath.Match(p, ""); err != nil {
			return nil, &UsageError{fmt.Sprintf("FILE %q is no pattern: %v", p, err)}
		}
		if !isPattern(p) {
			w.add(filepath.Clean(p))
		}
	}
	if w.look(); len(w.tracks) == 0 {
		go o.Tell("there is no file " + printable.Line(list.Some(o.Patterns, 8)) + " yet, and one is waited for")
	}
	go func() {
		for w.sleep(restEvery) {
			w.look()
			w.settle()
		}
	}()
	return w, nil
}

// isPattern reports whether a path stands for others. A file of that very name is no pattern.
func isPattern(path string) bool {
	_, err := os.Lstat(path)
	return err != nil && strings.ContainsAny(path, "*?[")
}

// look takes up the files of patterns.
func (w *Watch) look() {
	for _, p := range w.o.Patterns {
		if found, _ := filepath.Glob(p); isPattern(p) { // it was checked
			for _, path := range found {
				w.add(path)
			}
		}
	}
}

// add follows a file that is not followed yet.
func (w *Watch) add(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(w.tracks, func(t *track) bool { return t.path == path }) {
		return
	}
	t := &track{path: path}
	w.tracks = append(w.tracks, t)
	go w.follow(t)
}

func (w *Watch) sleep(d time.Duration) bool {
	select {
	case <-w.ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// follow reads a file on, and anew where another stands in its place.
func (w *Watch) follow(t *track) {
	for told := false; w.ctx.Err() == nil; {
		f, err := drawsfile.Open(w.ctx, t.path, drawsfile.Options{Order: drawsfile.Order(w.o.Order),
			Stdin: w.o.Stdin, Live: true})
		if errors.Is(err, fs.ErrNotExist) {
			w.set(func() { t.missing = true })
			if !told {
				w.o.Tell(printable.Line(t.path) + " is not there yet, and is waited for")
			}
			told = true
			w.sleep(pollEvery)
			continue
		}
		if err == nil {
			w.set(func() { t.missing, t.ended, t.pipe, w.active = false, false, f.IsPipe(), time.Now() })
			var anew bool
			anew, err = w.read(t, f)
			f.Close()
			if anew && err == nil {
				w.o.Tell(printable.Line(t.path) + " was replaced, and begins anew")
				w.set(func() { t.spools, t.skipped = nil, 0 })
				continue
			}
		}
		if err != nil && w.ctx.Err() == nil {
			path := (*fs.PathError)(nil)
			if errors.As(err, &path) {
				err = fmt.Errorf("cannot read %s: %w", printable.Line(t.path), path.Err)
			}
			w.set(func() { t.ended, w.failed = true, cmp.Or(w.failed, err) })
		}
		return
	}
}

// set changes what w.mu guards.
func (w *Watch) set(f func()) {
	w.mu.Lock()
	f()
	w.mu.Unlock()
	w.settle()
}

// read reads a file until its end, or that of the context. anew says that another stands in its place.
func (w *Watch) read(t *track, f *drawsfile.File) (anew bool, err error) {
	grown, size, whole := time.Now(), int64(-1), false
	if info, err := os.Stat(t.path); err == nil && !f.IsPipe() {
		if grown, size = info.ModTime(), info.Size(); size == 0 {
			w.o.Tell(printable.Line(t.path) + " is empty, and is waited for")
		}
	}
	for w.ctx.Err() == nil {
		err := f.More(atOnce)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, cmp.Or(w.take(t, f), err)
		}
		if taken := w.take(t, f); taken != nil || err == nil {
			if taken != nil {
				return false, taken
			}
			continue
		}
		if f.IsPipe() {
			err := cmp.Or(f.End(), w.take(t, f))
			if err == nil {
				w.set(func() { t.ended, t.cut = true, f.Cut() })
			}
			return false, err
		}
		info, err := os.Stat(t.path)
		if f.Replaced() || whole && err == nil && info.Size() > f.Bytes() {
			return true, nil
		}
		if err == nil && info.Size() != size {
			grown, size = time.Now(), info.Size()
		}
		quiet := time.Since(grown)
		over, begun := quiet > w.o.Idle || f.Done(), t.rows() > 0 || size > 0 && (f.Waits() || f.Cut())
		if over != t.ended && begun {
			if over && f.Waits() && !whole && size > 0 {
				whole = true
				if err := cmp.Or(f.End(), w.take(t, f)); err != nil {
					return false, err
				}
			}
			w.set(func() { t.ended, t.cut = over, f.Cut() })
		}
		wait := pollEvery
		if quiet > lookEvery {
			wait = restEvery
		}
		w.sleep(wait)
	}
	return false, nil
}

// take takes over the rows that were read.
func (w *Watch) take(t *track, f *drawsfile.File) error {
	if n := list.Sum(f.Chains, func(chain []float64) int { return len(chain) }); n == 0 && !f.Late {
		return nil
	}
	w.mu.Lock()
	defer func() {
		w.mu.Unlock()
		w.settle()
	}()
	if f.Late {
		f.Late = false
		if t.rows() > 0 {
			t.spools = nil
		}
	}
	for i, chain := range f.Chains {
		if len(t.spools) == i {
			cols, err := w.columns(t, f)
			if err != nil {
				return err
			}
			s, err := newSpool(cols, f)
			if err != nil {
				return err
			}
			t.spools = append(t.spools, s)
		}
		if len(chain) > 0 {
			if err := t.spools[i].add(chain, f.Width()); err != nil {
				return err
			}
		}
	}
	f.Forget()
	t.skipped, t.bytes, w.active = f.Skipped, f.Bytes(), time.Now()
	w.notify()
	return nil
}

// columns are those of a file's columns that are the coordinates. The first file names these where nobody has.
func (w *Watch) columns(t *track, f *drawsfile.File) ([]int, error) {
	have := f.Names()
	if w.names == nil {
		w.names = slices.Clone(have)
		var of []int
		if w.o.Among != nil {
			of, _, _, _ = (&drawsfile.Draws{Names: have}).Common(&drawsfile.Draws{Names: w.o.Among})
		}
		if len(of) > 0 && len(of) < len(have) {
			w.names = list.Map(of, func(i int) string { return have[i] })
			go w.o.Tell(fmt.Sprintf("%s has %d columns: those that the reference has are shown (%d), and --columns "+
				"NAME,… shows others", printable.Line(t.path), len(have), len(of)))
		} else if len(have) > manyColumns {
			w.names = w.names[:fewColumns]
			go w.o.Tell(fmt.Sprintf("%s has %d columns: the first %d are shown, and --columns NAME,… shows others",
				printable.Line(t.path), len(have), fewColumns))
		}
	}
	if at := w.exactly(have); at != nil {
		return at, nil // sooner than by all spellings of a million columns
	}
	_, with, rest, _ := (&drawsfile.Draws{Names: w.names}).Common(&drawsfile.Draws{Names: have})
	how := ""
	if w.o.Place && len(rest) > 0 {
		how = drawsfile.ByPlace(w.names, have)
	}
	switch {
	case len(rest) == 0:
		return with, nil
	case f.IsArray() && len(have) == len(w.names):
		return list.Upto(len(have)), nil
	case how != "":
		go w.o.Tell(printable.Line(t.path + ": " + how))
		return list.Upto(len(have)), nil
	}
	named := func(names []string) string { return list.Some(list.Map(names, printable.Line), 8) }
	err := fmt.Errorf("%s has the columns %s, want one for each of %s", printable.Line(t.path), named(have),
		named(w.names))
	if len(w.o.Names) > 0 || len(w.o.Columns) > 0 {
		err = &UsageError{err.Error()}
	}
	return nil, err
}

// exactly are the places of the coordinates among a file's columns, nil where not all stand there as they are named.
func (w *Watch) exactly(have []string) []int {
	if len(w.names) > manyColumns {
		return nil
	}
	at := list.Map(w.names, func(name string) int { return slices.Index(have, name) })
	if slices.Contains(at, -1) {
		return nil
	}
	return at
}

// settle looks whether the writers are done, and whether there is another Feed.
func (w *Watch) settle() {
	w.mu.Lock()
	done, missing := true, slices.ContainsFunc(w.o.Patterns, isPattern) // of which another file may come
	for _, t := range w.tracks {
		missing = missing || t.missing
		done = done && (t.ended || t.missing)
	}
	now := w.chains()
	other := w.feed != nil && !slices.Equal(now, w.feed.of) && len(now) > 0
	done = done && len(w.tracks) > 0 && (!missing || w.feed != nil && time.Since(w.active) > w.o.Idle) &&
		!(other && len(now) <= state.MaxChains) // another Feed is to be made first
	changed, notify := w.changed, w.notify
	over := w.ended.Swap(done) != done
	w.mu.Unlock()
	if other {
		changed()
	} else if over {
		notify()
	}
}

// chains are the spools of all chains that have draws, but for those whose writer died long before the others.
func (w *Watch) chains() []*spool {
	most := list.Max(w.tracks, (*track).rows)
	return list.Flat(w.tracks, func(t *track) []*spool {
		return list.Filter(t.spools, func(s *spool) bool {
			n := s.n.Load()
			return n > 0 && !(t.ended && float64(n) < lagging*float64(most))
		})
	})
}

// First waits for the first draws, and for those of other files that are there a little longer. changed is called when
// there is another Feed.
func (w *Watch) First(changed func()) (*Feed, error) {
	for begun := (time.Time{}); ; {
		w.mu.Lock()
		ready, failed := len(w.chains()), w.failed
		all := !slices.ContainsFunc(w.tracks, func(t *track) bool { return !t.missing && !t.ended && len(t.spools) == 0 })
		w.mu.Unlock()
		switch {
		case failed != nil:
			return nil, failed
		case ready > 0 && begun.IsZero():
			begun = time.Now()
		case w.ended.Load() && ready == 0 && all:
			return nil, errors.New("the files have no draw")
		}
		if ready > 0 && (all || time.Since(begun) > grace) {
			w.mu.Lock()
			w.changed = changed
			w.mu.Unlock()
			return w.Feed()
		}
		if !w.sleep(pollEvery / 5) {
			return nil, w.ctx.Err()
		}
	}
}

// Feed is all chains that there are.
func (w *Watch) Feed() (*Feed, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.chains()
	if len(of) > state.MaxChains {
		return nil, &UsageError{fmt.Sprintf("the files have %d chains, want at most %d", len(of), state.MaxChains)}
	}
	w.feed = &Feed{w: w, of: of, names: w.names}
	return w.feed, nil
}

// Failed is what a file has failed with first, nil for none.
func (w *Watch) Failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// Remarks say what was left out.
func (w *Watch) Remarks() (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	shown := w.chains()
	least, most := ^uint64(0), uint64(0)
	for _, s := range shown {
		least, most = min(least, s.n.Load()), max(most, s.n.Load())
	}
	for _, t := range w.tracks {
		if t.skipped > 0 {
			all = append(all, fmt.Sprintf("%s: rows with NaN or an infinity are left out: %d",
				printable.Line(t.path), t.skipped))
		}
		if t.ended && t.cut {
			all = append(all, printable.Line(t.path)+": the last line has no end, and is left out")
		}
		if n := t.rows(); n > 0 && !slices.Contains(shown, t.spools[0]) {
			all = append(all, fmt.Sprintf("%s ended after %d draws and is left out: others have %d",
				printable.Line(t.path), n, most))
		}
	}
	if len(shown) > 0 && least < most {
		all = append(all, fmt.Sprintf("the first %d draws of each chain are taken: the longest has %d", least, most))
	}
	return all
}

// A Feed is a [targets.Source] of so many chains.
type Feed struct {
	w     *Watch
	of    []*spool
	names []string
}

var _ targets.Source = (*Feed)(nil)

// Names are those of the coordinates.
func (f *Feed) Names() []string { return f.names }

// Chains implements targets.Source.
func (f *Feed) Chains() int { return len(f.of) }

// Rows implements targets.Source.
func (f *Feed) Rows() uint64 {
	least := ^uint64(0)
	for _, s := range f.of {
		least = min(least, s.n.Load())
	}
	return least
}

// Ended implements targets.Source. A Feed in whose place there is another has not ended: its session would, before it
// takes the other.
func (f *Feed) Ended() bool {
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	return f.w.ended.Load() && f.w.feed == f
}

// Failed implements targets.Source.
func (f *Feed) Failed() error { return f.w.Failed() }

// Row implements targets.Source.
func (f *Feed) Row(dst []float64, told *targets.Told, chain int, t uint64) error {
	return f.of[chain].row(dst, told, t)
}

// Tells implements targets.Source.
func (f *Feed) Tells() (all [targets.NumTold]bool) {
	for k := range all {
		all[k] = !slices.ContainsFunc(f.of, func(s *spool) bool { return !s.tells[k] })
	}
	return all
}

// Notify implements targets.Source.
func (f *Feed) Notify(poke func()) {
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	f.w.notify = poke
}

// Skipped implements targets.Source.
func (f *Feed) Skipped() (n int) {
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	return list.Sum(f.w.tracks, func(t *track) int { return t.skipped })
}

// Files implements targets.Source.
func (f *Feed) Files() (all []targets.SourceFile) {
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	for _, t := range f.w.tracks {
		if t.rows() > 0 {
			of := targets.SourceFile{Path: t.path, Rows: t.rows(), Bytes: t.bytes}
			if !t.pipe {
				of.SHA256, _ = sum(of) // a file that is gone has none
			}
			all = append(all, of)
		}
	}
	return all
}

// sum is the hash of the bytes that were read of a file.
func sum(of targets.SourceFile) (string, error) {
	r, _, err := regular.Open(of.Path)
	if err != nil {
		return "", err
	}
	defer r.Close() // only read from
	h := sha256.New()
	if _, err := io.CopyN(h, r, of.Bytes); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Again reads the files of a recording again, whole. The error says which of them no longer hold what they did.
func Again(ctx context.Context, of state.Watched, names []string) (*Feed, error) {
	if lines := changes(of.Files); len(lines) > 0 {
		return nil, errors.New(strings.Join(lines, "; "))
	}
	if len(of.Files) > 0 {
		of.Patterns = list.Map(of.Files, func(f targets.SourceFile) string { return f.Path })
	}
	w, err := Open(ctx, Options{Watched: of, Names: names, Place: len(of.Files) > 0, Tell: func(string) {}})
	for err == nil && !w.ended.Load() && w.Failed() == nil {
		if !w.sleep(pollEvery / 5) {
			return nil, ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	return w.First(func() {})
}

// changes says, a line each, which of a recording's files no longer hold what they did.
func changes(files []targets.SourceFile) (lines []string) {
	for _, of := range files {
		name := printable.Line(of.Path)
		switch have, err := sum(of); {
		case of.SHA256 == "":
			lines = append(lines, name+" cannot be read again")
		case errors.Is(err, io.EOF):
			lines = append(lines, fmt.Sprintf("%s is shorter than the %d bytes that were read of it", name, of.Bytes))
		case err != nil:
			lines = append(lines, fmt.Sprintf("cannot read %s: %v", name, errors.Unwrap(err)))
		case have != of.SHA256:
			lines = append(lines, fmt.Sprintf("the first %d bytes of %s are others than those that were read", of.Bytes, name))
		}
	}
	return lines
}
