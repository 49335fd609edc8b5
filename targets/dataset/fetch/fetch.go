// Package fetch downloads the data sets of the catalogue into the data folder.
package fetch

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Options say how to fetch. In the zero value every field has its default, as has a field that is not positive.
type Options struct {
	// Client makes the requests; nil is one that takes proxies from the environment. A client of one's own must not
	// unpack what it receives (http.Transport.DisableCompression).
	Client *http.Client
	// Stall is how long a mirror may send nothing before the next one is tried; 30 s by default.
	Stall time.Duration
	// Rounds is how often all mirrors are tried without any progress before the file is given up; 3 by default.
	Rounds int
	// Backoff is the pause after the first round; it doubles with each. 1 s by default.
	Backoff time.Duration
	// Progress, if set, is called with every change of stage, and about twenty
	// times a second while bytes arrive, from the goroutine that called Set.
	Progress func(Progress)
}

// Stage is what is done with a file.
type Stage int

// The stages of a file.
const (
	Checking  Stage = iota // comparing what is there with the catalogue
	Fetching               // bytes arrive, or a mirror is asked for them
	Waiting                // all mirrors failed, and a pause is made
	Unpacking              // a file is taken out of the archive
	Skipped                // was there and right
	Finished               // is there and right
)

// String names a stage for messages.
func (s Stage) String() string {
	return [...]string{
		Checking: "checking", Fetching: "fetching", Waiting: "waiting", Unpacking: "unpacking",
		Skipped: "already there", Finished: "done",
	}[s]
}

// Progress is how far a fetch is.
type Progress struct {
	Set, File string // the Known's and the File's name
	Stage     Stage
	Mirror    string // host that the file comes from; empty outside of Fetching
	// Done and Total count the bytes of the file, SetDone and SetTotal those of all the set's files or, if they come in
	// an archive that is needed, of the archive. A file that was packed anew may end elsewhere than at Total.
	Done, Total       int64
	SetDone, SetTotal int64
	// Err says why the mirror before this one was left, or why a pause is made; nil otherwise.
	Err error
}

const (
	defaultStall   = 30 * time.Second
	defaultBackoff = time.Second
	maxBackoff     = 30 * time.Second
	defaultRounds  = 3
	tick           = 50 * time.Millisecond // between two reports of bytes
)

// Set brings the files of k into its folder in the data folder dir. Files that are there and right stay as they are.
// The others come from the first mirror that gives the right bytes, by size and SHA-256, and appear whole, by rename.
// What has arrived when ctx ends or the mirrors fail is kept in a file that ends in ".part", which the next call goes
// on with; it is removed if it is wrong or the disk refuses it. An error is one line. When ctx ends, the error wraps
// its cause. Two programs must not fetch one set into one folder at the same time.
func Set(ctx context.Context, dir string, k dataset.Known, o Options) error {
	return newFetcher(dir, k, o).fetch(ctx, dir)
}

// A fetcher fetches one set.
type fetcher struct {
	set     dataset.Known
	folder  string
	options Options
	client  *http.Client
	now     Progress
	last    time.Time // of the last report
	// sink is what bytes are written to for a file; tests fill a disk here.
	sink func(*os.File) io.Writer
}

func newFetcher(dir string, k dataset.Known, o Options) *fetcher {
	o.Stall = cmp.Or(max(o.Stall, 0), defaultStall)
	o.Rounds = cmp.Or(max(o.Rounds, 0), defaultRounds)
	o.Backoff = cmp.Or(max(o.Backoff, 0), defaultBackoff)
	client := o.Client
	if client == nil {
		// No limit on the whole time: a stall is what ends a request.
		client = &http.Client{Transport: &http.Transport{
			Proxy:              http.ProxyFromEnvironment,
			DisableCompression: true,
			ForceAttemptHTTP2:  true,
			IdleConnTimeout:    defaultStall,
		}}
	}
	return &fetcher{
		set: k, folder: filepath.Join(dir, k.Folder), options: o, client: client,
		sink: func(f *os.File) io.Writer { return f },
	}
}

func (f *fetcher) fetch(ctx context.Context, dir string) error {
	if f.options.Client == nil {
		defer f.client.CloseIdleConnections()
	}
	if len(f.set.Mirrors) == 0 {
		return fmt.Errorf("cannot fetch %s: no mirror is known", f.set.Name)
	}
	if err := os.MkdirAll(f.folder, 0o777); err != nil {
		return cannotWrite(f.folder, err)
	}
	f.now = Progress{Set: f.set.Name}
	if f.set.Archive == nil {
		for _, file := range f.set.Files {
			f.now.SetTotal += file.Size
		}
	}
	var wanted []dataset.File
	for _, file := range f.set.Files {
		if err := context.Cause(ctx); err != nil {
			return f.stopped(file, err)
		}
		f.begin(file)
		f.report(Checking)
		if right(f.set.Path(dir, file), file) {
			f.finish(file, Skipped)
			continue
		}
		wanted = append(wanted, file)
	}
	if a := f.set.Archive; a != nil {
		return f.unpackAll(ctx, *a, wanted)
	}
	for _, file := range wanted {
		if err := f.download(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// unpackAll brings the archive, if any of its files is wanted, and takes the
// wanted files out of it. The archive is removed afterwards.
func (f *fetcher) unpackAll(ctx context.Context, a dataset.Archive, wanted []dataset.File) error {
	if len(wanted) == 0 {
		return nil
	}
	path := filepath.Join(f.folder, a.Name)
	f.now.SetTotal = a.Size
	f.begin(a.File)
	f.report(Checking)
	if right(path, a.File) {
		f.finish(a.File, Skipped)
	} else if err := f.download(ctx, a.File); err != nil {
		return err
	}
	if err := f.unpack(ctx, path, a, wanted); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

// right reports whether the file at path is what it should be.
func right(path string, file dataset.File) bool { return file.Check(path).State == dataset.OK }

// download tries the mirrors in turn, in rounds with growing pauses, until one
// gives the file. A mirror that can only fail again is not asked again.
func (f *fetcher) download(ctx context.Context, file dataset.File) error {
	f.begin(file)
	p, err := openPart(filepath.Join(f.folder, file.Name), f.sink)
	if err != nil {
		return err
	}
	defer p.close()
	f.now.Done = p.n
	failed := make([]error, len(f.set.Mirrors))
	most := p.n
	for round := 0; round < f.options.Rounds; round++ {
		left := 0
		for i, mirror := range f.set.Mirrors {
			if isFinal(failed[i]) {
				continue
			}
			f.now.Mirror = host(mirror)
			f.report(Fetching)
			err := f.ask(ctx, mirror+file.Name, p, file)
			if err == nil {
				f.finish(file, Finished)
				return nil
			}
			if cause := context.Cause(ctx); cause != nil {
				return f.stopped(file, cause)
			}
			if isDisk(err) {
				p.remove() // gives the disk its room back
				return err
			}
			failed[i], f.now.Err = err, err
			if !isFinal(err) {
				left++
			}
		}
		if left == 0 {
			break
		}
		// A mirror that breaks off now and then is well enough if it gets on.
		const step = 64 << 10
		if p.n >= most+step {
			most, round = p.n, -1
		}
		if round+1 < f.options.Rounds {
			f.now.Mirror = ""
			f.report(Waiting)
			select {
			case <-time.After(min(maxBackoff, f.options.Backoff<<min(10, max(0, round)))):
			case <-ctx.Done():
				return f.stopped(file, context.Cause(ctx))
			}
		}
	}
	reasons := list.Map(list.Upto(len(failed)), func(i int) string {
		return host(f.set.Mirrors[i]) + ": " + failed[i].Error()
	})
	return fmt.Errorf("cannot fetch %s: %s", file.Name, strings.Join(reasons, "; "))
}

func (f *fetcher) stopped(file dataset.File, cause error) error {
	return fmt.Errorf("fetching %s: %w", file.Name, cause)
}

// begin, finish and report tell how far the fetch is.
func (f *fetcher) begin(file dataset.File) {
	f.now.File, f.now.Done, f.now.Total, f.now.Mirror, f.now.Err = file.Name, 0, file.Size, "", nil
}

func (f *fetcher) finish(file dataset.File, s Stage) {
	f.now.Done, f.now.Mirror, f.now.Err = file.Size, "", nil
	f.report(s)
	if a := f.set.Archive; a == nil || a.Name == file.Name {
		f.now.SetDone += file.Size
	}
}

func (f *fetcher) report(s Stage) {
	f.now.Stage, f.last = s, time.Now()
	if f.options.Progress == nil {
		return
	}
	p := f.now
	if a := f.set.Archive; a == nil || a.Name == p.File {
		p.SetDone += p.Done
	}
	p.SetDone = min(p.SetDone, p.SetTotal)
	f.options.Progress(p)
}

// advance reports bytes, unless that was done just now.
func (f *fetcher) advance(s Stage, done int64) {
	f.now.Done = done
	if time.Since(f.last) >= tick {
		f.report(s)
	}
}

// host is the part of an address that tells mirrors apart.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}
