package targets

import (
	"cmp"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/psgld/psgld-tui/targets/dataset"
)

// strokes is the built-in set, drawn once.
var strokes struct {
	once   sync.Once
	images dataset.Images
}

// drawn is the built-in set.
func drawn(_ string, at *dataset.Reading) (dataset.Images, error) {
	const seed = 1
	strokes.once.Do(func() { strokes.images = dataset.Strokes(seed, at) })
	return strokes.images, nil
}

// An imageSet is a data set of networks, opened.
type imageSet struct {
	name   string // the value of --dataset that opens it
	note   string
	images *dataset.Images
}

// openDataset opens what Options.Dataset names.
func openDataset(o Options) (imageSet, error) {
	name, note := o.Dataset, ""
	if name == "" {
		if dir := filepath.Join(o.DataDir, "mnist"); dataset.HasIDX(dir) {
			name, note = "mnist", "dataset mnist, of "+dir
		} else {
			name = "strokes"
			note = fmt.Sprintf("dataset strokes, drawn by the program, as mnist is not in %s", o.DataDir)
		}
	}
	var path string
	var read func(path string, at *dataset.Reading) (dataset.Images, error)
	known := true
	switch name {
	case "strokes":
		read = drawn
	case "mnist":
		path, read = filepath.Join(o.DataDir, name), dataset.LoadIDX
	case "cifar10":
		path, read = filepath.Join(o.DataDir, name), dataset.LoadCIFAR10
	default:
		if !dataset.IsFolder(name) {
			return imageSet{}, noSuch("dataset", name, []string{"mnist", "strokes", "cifar10"},
				", or a folder of IDX files")
		}
		path, read, known = name, dataset.LoadIDX, false
	}
	m, err := cmp.Or(o.Images, new(Images)).open([2]string{name, path}, o.Reading, read)
	if known {
		err = fetchable(err, name)
	}
	if err != nil {
		return imageSet{}, err
	}
	return imageSet{name, note, m}, nil
}

// Images are the data sets of networks that were opened, for those that are
// opened later. The zero value has none. It may be used by several goroutines.
type Images struct {
	mu   sync.Mutex
	have map[[2]string]*dataset.Images // by name and path
}

// open reads a data set unless it is there.
func (i *Images) open(key [2]string, at *dataset.Reading,
	read func(path string, at *dataset.Reading) (dataset.Images, error)) (*dataset.Images, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if m, ok := i.have[key]; ok {
		return m, nil
	}
	m, err := read(key[1], at)
	if err != nil {
		return nil, err
	}
	if i.have == nil {
		i.have = map[[2]string]*dataset.Images{}
	}
	i.have[key] = &m
	return &m, nil
}
