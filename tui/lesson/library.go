package lesson

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/regular"
	"github.com/psgld/psgld-tui/tui/prefs"
)

//go:embed lessons/*.toml
var embedded embed.FS

//go:embed example.toml
var example string

// Example is a lesson's file with comments, to begin one's own with.
func Example() string { return example }

// Builtin reads the lessons that come with the program, in the order of their
// files. They are read once and not to be changed. It panics if one of them is wrong.
func Builtin() []*Lesson { return slices.Clone(builtin()) }

var builtin = sync.OnceValue(func() []*Lesson {
	all, err := readAll(embedded, "lessons", "", embedded.ReadFile)
	if err != nil {
		panic(err)
	}
	return all
})

// Folder is where a user's own lessons are, below the folder of the settings; "" if there is none.
func Folder() string { return prefs.ConfigPath("lessons") }

// Load reads the lessons of the program and those of a folder, if dir is not empty and there is one. A lesson of the
// folder takes the place of the program's with the same name; others come last. Files that are wrong are left out, and
// the error joins what is wrong with each.
func Load(dir string) ([]*Lesson, error) {
	all := Builtin()
	if dir == "" {
		return all, nil
	}
	own, err := readAll(os.DirFS(dir), ".", dir, func(name string) ([]byte, error) { return regular.Read(filepath.Join(dir, name), maxFile) })
	for _, l := range own {
		if i := slices.IndexFunc(all, func(o *Lesson) bool { return o.Name == l.Name }); i >= 0 {
			all[i] = l
		} else {
			all = append(all, l)
		}
	}
	return all, err
}

// ReadFile reads a lesson of one's own from a path.
func ReadFile(path string) (*Lesson, error) {
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	return Read(data, path)
}

// Find returns the lesson of a name. The error asks whether a near one was meant.
func Find(all []*Lesson, name string) (*Lesson, error) {
	names := list.Map(all, func(l *Lesson) string { return l.Name })
	if i := slices.Index(names, name); i >= 0 {
		return all[i], nil
	}
	want := cmp.Or(list.Hint("%q", name, names), "; want one of "+strings.Join(names, ", "))
	return nil, fmt.Errorf("unknown lesson %q%s", name, want)
}

// readAll reads the lessons of a folder by their files' names. Sources are paths below dir.
func readAll(files fs.FS, folder, dir string, read func(name string) ([]byte, error)) ([]*Lesson, error) {
	entries, err := fs.ReadDir(files, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*Lesson
	var wrong []error
	from := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".toml" || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		source := filepath.Join(dir, e.Name())
		data, err := read(path.Join(folder, e.Name()))
		var l *Lesson
		if err == nil {
			l, err = Read(data, source)
		}
		if err == nil && from[l.Name] != "" {
			err = fmt.Errorf("%s: name %q is that of %s too", source, l.Name, from[l.Name])
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		from[l.Name] = source
		all = append(all, l)
	}
	return all, errors.Join(wrong...)
}
