package study

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// storeForm is the version of a results file's form.
const storeForm = 1

// header is the first line of a results file.
type header struct {
	Form    int    `json:"psgld_results"`
	Version string `json:"version"` // of the program that began it
	Plan    string `json:"plan"`
	Hash    string `json:"hash"`
	Shard   string `json:"shard"`
	Jobs    int    `json:"jobs"` // of the shard
	// Numerics is the numerics.Version of the program that began it; 1 where it is not said.
	Numerics int     `json:"numerics"`
	Request  Request `json:"request,omitzero"`
}

// headStart is how every results file begins.
var headStart = []byte(`{"psgld_results":`)

// A Store is a results file. Its first line names a shard of a plan, and each line after
// it is a job's outcome as JSON. A line is on disk before Add returns. If a process was
// killed while it wrote one, that line is dropped when the file is opened again. A file that
// is removed meanwhile is made again. Several goroutines may use a Store, but one process only.
type Store struct {
	mu   sync.Mutex
	path string
	f    *os.File
	end  int64
	done map[string]Outcome
}

// OpenStore opens the results file of a shard of a plan, or begins it. The error is *OtherResults if the file is of
// something else or of another version of the program. It is an error too if another process has the file open.
func OpenStore(path, version string, p Plan, s Shard) (*Store, error) {
	_, missing := os.Lstat(path)
	f, err := regular.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, atomicfile.CannotWrite(path, err)
	}
	st := &Store{path: path, f: f, done: map[string]Outcome{}}
	if err := st.open(version, p, s); err != nil {
		_ = f.Close()
		if missing != nil && st.end == 0 {
			_ = os.Remove(path) // it was made here, and holds nothing
		}
		return nil, err
	}
	if missing != nil {
		atomicfile.SyncFolder(filepath.Dir(path))
	}
	return st, nil
}

func (s *Store) open(version string, p Plan, shard Shard) error {
	if err := atomicfile.Lock(s.f); errors.Is(err, atomicfile.ErrLocked) {
		s.end = 1 // not ours to remove
		return fmt.Errorf("%s is in use by another run", s.path)
	} else if err != nil {
		return fmt.Errorf("cannot lock %s: %w", s.path, atomicfile.Cause(err))
	}
	want := header{storeForm, version, p.Name, p.Hash(), shard.String(), p.Part(shard).Len(), numerics.Version, p.Request}
	got, outcomes, end, err := readResults(s.path, s.f)
	switch {
	case errors.Is(err, errEmpty):
		if err := s.f.Truncate(0); err != nil {
			return atomicfile.CannotWrite(s.path, err)
		}
		return s.write(want)
	case err != nil:
		return err
	case got.Hash != want.Hash || got.Shard != want.Shard:
		return &OtherResults{s.path, true, fmt.Sprintf("holds shard %s of another plan (%s, %s), not shard %s of %s (%s)", got.Shard, got.Plan, got.Hash, want.Shard, want.Plan, want.Hash)}
	case got.Version != want.Version:
		return &OtherResults{s.path, false, fmt.Sprintf("is by version %s of the program and this is %s", got.Version, want.Version)}
	}
	if n := outdated(p.Part(shard), func(Job) int { return got.Numerics }); n > 0 {
		return &OtherResults{s.path, false, fmt.Sprintf("is of numerics version %d, by which %d of its jobs have other digits than by version %d", got.Numerics, n, numerics.Version)}
	}
	for _, o := range outcomes {
		s.done[o.ID] = o
	}
	if err := s.f.Truncate(end); err != nil {
		return atomicfile.CannotWrite(s.path, err)
	}
	s.end = end
	return nil
}

// OtherResults is the error of a results file to which this plan's outcomes cannot be
// added. A new file may take over outcomes that both plans have (ReadKnown).
type OtherResults struct {
	Path    string
	Foreign bool // it is of another plan or shard, and not of another version alone
	Why     string
}

func (o *OtherResults) Error() string { return o.Path + " " + o.Why }

// Done returns the outcome of a job, if the file has it.
func (s *Store) Done(j Job) (Outcome, bool) {
	s.mu.Lock()
	o, ok := s.done[j.ID]
	s.mu.Unlock()
	if !ok || o.Job != j.Hash() || o.At != j.at || o.fits(j) != nil {
		return Outcome{}, false
	}
	return o, true
}

// Add appends an outcome. After an error the file is as it was.
func (s *Store) Add(o Outcome) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.write(o); err != nil {
		return err
	}
	s.done[o.ID] = o
	return nil
}

// Stay makes the file again with all that it had, and its folder, if somebody has removed it. It
// is an error if another file is in its place.
func (s *Store) Stay() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stay()
}

// stay is Stay, with the lock held.
func (s *Store) stay() error {
	ours, err := s.f.Stat()
	if there, lost := os.Stat(s.path); err == nil && lost == nil && os.SameFile(ours, there) {
		return nil
	}
	err = os.MkdirAll(filepath.Dir(s.path), 0o777)
	if err != nil {
		return atomicfile.CannotWrite(s.path, err)
	}
	f, err := regular.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		err = errors.New("another file has taken its place")
	} else if err == nil {
		_ = atomicfile.Lock(f) // nobody else has it
		_, err = io.Copy(f, io.NewSectionReader(s.f, 0, s.end))
		if err = errors.Join(err, f.Sync()); err != nil {
			_ = os.Remove(s.path) // the first error is the one to tell
		}
	}
	if err != nil {
		return atomicfile.CannotWrite(s.path, err)
	}
	atomicfile.SyncFolder(filepath.Dir(s.path))
	_ = s.f.Close() // no name leads to it
	s.f = f
	return nil
}

// write appends a line and syncs the file.
func (s *Store) write(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := s.stay(); err != nil {
		return err
	}
	b = append(b, '\n')
	_, err = s.f.WriteAt(b, s.end)
	if err == nil {
		err = s.f.Sync()
	}
	if err != nil {
		_ = s.f.Truncate(s.end) // the first error is the one to tell
		return atomicfile.CannotWrite(s.path, err)
	}
	s.end += int64(len(b))
	return nil
}

// Close closes the file.
func (s *Store) Close() error { return s.f.Close() }

var (
	errEmpty = errors.New("the file is empty")
)

// readResults reads a results file. Outcomes are in the order in which they were written; of two outcomes of a job the
// later counts. end is that of the last whole line: a process was killed while it wrote what follows. The error is
// errEmpty for a file without a whole line.
func readResults(path string, r io.Reader) (h header, all []Outcome, end int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	// This comes first, since a line of another kind of file may be as long as the file.
	if start, _ := in.Peek(len(headStart)); !bytes.HasPrefix(headStart, start) {
		return h, nil, 0, fmt.Errorf("%s is no results file", path)
	}
	at := map[string]int{}
	var long []byte
	for n := 1; ; n++ {
		line, err := readLine(in, &long)
		switch {
		case errors.Is(err, errLong):
			return h, nil, 0, fmt.Errorf("%s:%d: %w", path, n, err)
		case errors.Is(err, io.EOF) && n == 1:
			return h, nil, 0, errEmpty
		case errors.Is(err, io.EOF):
			return h, all, end, nil
		case err != nil:
			return h, nil, 0, fmt.Errorf("reading %s: %w", path, atomicfile.Cause(err))
		}
		if n == 1 {
			if h, err = readHeader(path, line); err != nil {
				return h, nil, 0, err
			}
		} else {
			var o Outcome
			if err := json.Unmarshal(line, &o); err != nil || o.ID == "" || o.At < 0 {
				return h, nil, 0, fmt.Errorf("%s:%d: not an outcome", path, n)
			}
			o.Command = "" // whoever shows one makes it from the job
			if k, twice := at[o.ID]; twice {
				all[k] = o
			} else {
				if len(all) == h.Jobs {
					return h, nil, 0, fmt.Errorf("%s:%d: an outcome beyond the %d jobs of shard %s", path, n, h.Jobs, h.Shard)
				}
				at[o.ID] = len(all)
				all = append(all, o)
			}
		}
		end += int64(len(line))
	}
}

// maxLine bounds a line of a results file, in bytes, and maxParts the objects and lists in it,
// of which each may be a lane's result of some kilobytes.
const (
	maxLine  = 32 << 20
	maxParts = 1 << 14
)

// errLong is the error of a line that is no outcome of any session.
var errLong = fmt.Errorf("the line is longer than %d MiB or has more than %d objects and lists", maxLine>>20, maxParts)

// readLine is regular.Line within both bounds.
func readLine(in *bufio.Reader, long *[]byte) ([]byte, error) {
	line, err := regular.Line(in, long, maxLine)
	if errors.Is(err, regular.ErrLong) || bytes.Count(line, []byte("{"))+bytes.Count(line, []byte("[")) > maxParts {
		return nil, errLong
	}
	return line, err
}

// readHeader reads the first line. Of another form it reads the first entry alone.
func readHeader(path string, line []byte) (h header, err error) {
	err = json.Unmarshal(line, &h) // reads what it can
	switch {
	case h.Form <= 0:
		return h, fmt.Errorf("%s is no results file", path)
	case h.Form != storeForm:
		return h, fmt.Errorf("%s is a results file of form %d, want %d: another version of the program wrote it", path, h.Form, storeForm)
	case err != nil || h.Jobs < 0 || h.Jobs > MaxCells:
		return h, fmt.Errorf("%s:1: not the head of a results file of form %d", path, storeForm)
	}
	h.Numerics = max(h.Numerics, 1)
	return h, nil
}

// readFile is readResults of a named file.
func readFile(path string) (header, []Outcome, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return header{}, nil, fmt.Errorf("cannot read %s: %w", path, atomicfile.Cause(err))
	}
	defer func() { _ = f.Close() }() // it was only read
	h, outcomes, _, err := readResults(path, f)
	if errors.Is(err, errEmpty) {
		err = fmt.Errorf("%s is empty", path)
	}
	return h, outcomes, err
}

// outdated counts the jobs of a part whose digits have changed since a numerics version; 0 for none to compare with.
func outdated(p Part, version func(Job) int) (n int) {
	for k := range p.Len() {
		j := p.Job(k)
		if v := version(j); v > 0 && !numerics.Comparable(v, j.Config.Target) {
			n++
		}
	}
	return n
}

// ReadKnown reads the outcomes of results files for Runner.Known, without those of skipped jobs. Of several outcomes of
// a job that of the newest numerics version counts. versions are those of the programs that wrote the files, each once.
func ReadKnown(paths []string) (known map[string]Outcome, versions []string, err error) {
	known = map[string]Outcome{}
	for _, path := range paths {
		h, outcomes, err := readFile(path)
		if err != nil {
			return nil, nil, err
		}
		versions = list.Distinct(append(versions, h.Version))
		for _, o := range outcomes {
			o.numerics = h.Numerics
			if o.Skipped == "" && known[o.Job].numerics <= o.numerics {
				known[o.Job] = o
			}
		}
	}
	return known, versions, nil
}

// Merged is what the results files of all shards of a plan hold together.
type Merged struct {
	Plan     string // its name
	Hash     string
	Version  string // of the program; of several, those that there are
	Request  Request
	Outcomes []Outcome // in the plan's order
	mixed    bool      // the files are of several numerics versions
}

// Merge reads the results files of all shards of one plan, in any order. It is an error
// if a file is of another plan or number of shards, and if a shard is missing, there twice or not finished. Files
// of several versions of the program belong together where Check finds that their jobs have the same digits.
func Merge(paths []string) (Merged, error) {
	var m Merged
	if len(paths) == 0 {
		return m, fmt.Errorf("no results file to merge")
	}
	var parts [][]Outcome
	oldest := 0
	var versions []string
	from := map[int]string{}
	for k, path := range paths {
		h, outcomes, err := readFile(path)
		if err != nil {
			return m, err
		}
		s, err := ParseShard(h.Shard)
		if err != nil {
			return m, fmt.Errorf("%s: shard %w", path, err)
		}
		if k == 0 {
			oldest = h.Numerics
			m = Merged{Plan: h.Plan, Hash: h.Hash, Request: h.Request}
			parts = make([][]Outcome, s.N)
		}
		switch {
		case h.Hash != m.Hash:
			return m, fmt.Errorf("%s is of another plan (%s, %s) than %s (%s, %s)", path, h.Plan, h.Hash, paths[0],
				m.Plan, m.Hash)
		case s.N != len(parts):
			return m, fmt.Errorf("%s is shard %s, and %s one of %d", path, s, paths[0], len(parts))
		case from[s.I] != "":
			return m, fmt.Errorf("%s and %s are both shard %s", from[s.I], path, s)
		case len(outcomes) != h.Jobs:
			return m, fmt.Errorf("%s has %d of the %d jobs of shard %s: run it again to its end", path,
				len(outcomes), h.Jobs, s)
		}
		m.mixed = m.mixed || h.Numerics != oldest
		versions = list.Distinct(append(versions, h.Version))
		for k := range outcomes {
			o := &outcomes[k]
			o.numerics = h.Numerics
			if o.At%s.N != s.I-1 {
				return m, fmt.Errorf("%s holds job %d, which shard %s does not have", path, o.At, s)
			}
		}
		from[s.I], parts[s.I-1] = path, outcomes
	}
	if missing := list.Filter(list.Upto(len(parts)), func(i int) bool { return from[i+1] == "" }); missing != nil {
		shards := list.Map(missing, func(i int) string { return Shard{i + 1, len(parts)}.String() })
		return m, fmt.Errorf("no results of shard %s of %s", list.Some(shards, 10), m.Plan)
	}
	m.Version = strings.Join(versions, ", ")
	m.Outcomes = slices.Concat(parts...)
	slices.SortFunc(m.Outcomes, func(a, b Outcome) int { return cmp.Compare(a.At, b.At) })
	return m, nil
}

// Check returns an error if an outcome is not that of the job of p in its place, or a job has none. Where the files are
// of several numerics versions it is one too if an outcome has other digits than the job has now.
func (m Merged) Check(p Plan) error {
	if len(m.Outcomes) != p.Len() {
		return fmt.Errorf("there are %d outcomes of %d jobs", len(m.Outcomes), p.Len())
	}
	for i, o := range m.Outcomes {
		if o.At != i {
			return fmt.Errorf("there is no outcome of job %d", i)
		}
		if j := p.Job(i); o.ID != j.ID || o.Job != j.Hash() {
			return fmt.Errorf("%q is not job %d, which is %q", o.ID, i, j.ID)
		} else if err := o.fits(j); err != nil {
			return err
		} else if m.mixed && o.Outdated(j) {
			return fmt.Errorf("%q has the digits of numerics version %d, which are others by version %d: run its "+
				"shard again", o.ID, o.numerics, numerics.Version)
		}
	}
	return nil
}

// Machine says what the program runs on: processor, cores, system, Go and kernels. It is
// the same each time on one machine.
func Machine() string {
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, kernels %s", cmp.Or(processor(), "unknown processor"),
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), simd.Kernels())
}

// modelName is a line of Linux's /proc/cpuinfo; ARM kernels have none there.
var modelName = regexp.MustCompile(`(?m)^model name\s*:(.*)$`)

// maxInfo bounds that file, in bytes: some 1,500 for each processor.
const maxInfo = 16 << 20

// processor is the model's name, "" where the system does not tell it in a file or variable.
func processor() string {
	info, err := regular.Read("/proc/cpuinfo", maxInfo)
	if err != nil {
		return os.Getenv("PROCESSOR_IDENTIFIER") // Windows sets it
	}
	if found := modelName.FindSubmatch(info); found != nil {
		return strings.Join(strings.Fields(string(found[1])), " ")
	}
	return ""
}
