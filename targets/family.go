package targets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Family is a kind of target with its settings.
type Family struct {
	Name string // before the colon
	// Usage is the form of its --target value.
	Usage string
	// Doc is one sentence about what is sampled.
	Doc string
	// Examples are values of --target, for pickers and for the test of all families. They open
	// without a file, or with files of the data folder.
	Examples []string
	// Images says that opening a target reads a set of images, which takes a while.
	Images bool

	// reaches reports whether the target of args needs a file, a command or a network's memory.
	// It is nil if no target of the family does.
	reaches func(args string) bool
	open    func(args string, o Options) (*Problem, error)
}

// Families lists what Open knows. A new target is one file that makes a Family, and one line here.
func Families() []Family {
	return []Family{gaussianFamily, bananaFamily, mixtureFamily, funnelFamily, densityFamily, dataFamily,
		regressFamily, classifyFamily, blrFamily, mlpFamily, cnnFamily, stanFamily, execFamily}
}

// ReadsImages reports whether Open reads a set of images for the value of --target.
func ReadsImages(spec string) bool {
	name, _, _ := strings.Cut(spec, ":")
	return slices.ContainsFunc(Families(), func(f Family) bool { return f.Name == name && f.Images })
}

// Absent is the name of the data set that a value of --target is about and that is not in the
// data folder, empty where nothing is missing. Of a network without Options.Dataset that is
// mnist, for which Open takes strokes. Where Options are Closed nobody looks.
func Absent(spec string, o Options) string {
	if o.Closed != "" {
		return ""
	}
	family, args, _ := strings.Cut(spec, ":")
	set := ""
	switch {
	case ReadsImages(spec):
		set = cmp.Or(o.Dataset, "mnist")
	case family == blrFamily.Name:
		set, _, _ = strings.Cut(args, ";")
	}
	missing, _ := list.Find(dataset.KnownSets(), func(k dataset.Known) bool {
		return k.Name == set && !dataset.Present(o.DataDir, k) && !dataset.HasIDX(filepath.Join(o.DataDir, k.Folder))
	})
	return missing.Name
}

// fetchable has the error about a missing file of a data set say how to get it.
func fetchable(err error, set string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; psgld-tui data fetch %s fetches it", err, set)
	}
	return err
}

// Tri is a switch that may be left to the program.
type Tri int

// The positions of a Tri.
const (
	Auto Tri = iota
	On
	Off
)

// or resolves Auto.
func (t Tri) or(auto bool) bool {
	if t == Auto {
		return auto
	}
	return t == On
}

// Options hold what a --target value leaves out.
type Options struct {
	// DataDir is the data folder, as dataset.Dir finds it.
	DataDir string
	// Dataset is what networks learn: mnist, strokes, cifar10 or a folder of IDX files. Empty means mnist where it is
	// found in the data folder, and strokes elsewhere.
	Dataset string
	// Images are shared by the networks that are opened with them; nil to read a data set anew for each.
	Images *Images
	// Standardize says whether the features of a logistic regression are centred and scaled by the training set's means
	// and standard deviations, and Intercept whether a weight for the constant 1 is put before theirs. Auto means on
	// for files with separated fields, off for LIBSVM. For the generated set, whose scales differ on purpose, it means
	// an intercept without standardisation.
	Standardize, Intercept Tri
	// Context ends what takes long to open, such as a compiler; nil for never.
	Context context.Context
	// Commands are those that targets may start; nil for none.
	Commands *child.Commands
	// Reading counts what is read or drawn of a data set; nil if nobody asks.
	Reading *dataset.Reading
	// Closed is why targets that read a file or start a command, and networks, are refused;
	// empty where they are not. Open then does not touch the file system.
	Closed string
}

// always is the reaches of a Family all of whose targets are refused where Options are Closed.
func always(string) bool { return true }

// Open opens the target that spec names: a family's name and, after a colon, its settings. An error is one line that
// names what is wrong and what is allowed; it is a *SpecError unless the data are at fault.
func Open(spec string, o Options) (*Problem, error) {
	name, args := strings.TrimSpace(spec), ""
	if i := strings.IndexAny(name, ":;"); i >= 0 { // settings may follow a family's name as they follow its sizes
		name, args = name[:i], name[i+1:]
	}
	families := Families()
	names := make([]string, len(families))
	for i, f := range families {
		if f.Name == name {
			if o.Closed != "" && f.reaches != nil && f.reaches(args) {
				return nil, misuse("%s: %s", f.Name, o.Closed)
			}
			return f.open(args, o)
		}
		names[i] = f.Name
	}
	// Of a family's example the part behind the colon may be all that was written.
	for _, f := range families {
		for _, example := range f.Examples {
			if _, args, ok := strings.Cut(example, ":"); ok && strings.EqualFold(args, name) {
				return nil, misuse("%q is unknown (did you mean %q?); want one of %s",
					name, example, strings.Join(names, ", "))
			}
		}
	}
	return nil, noSuch("target", name, names, "")
}
