package targets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/psgld/psgld-tui/targets/dataset"
)

// strokesSeed is that of the built-in set.
const strokesSeed = 1

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
			name, note = "strokes", fmt.Sprintf("dataset strokes, drawn by the program, as mnist is not in %s", o.DataDir)
		}
	}
	var m dataset.Images
	var err error
	switch name {
	case "strokes":
		m = dataset.Strokes(strokesSeed)
	case "mnist":
		m, err = dataset.LoadIDX(filepath.Join(o.DataDir, name))
	case "cifar10":
		m, err = dataset.LoadCIFAR10(filepath.Join(o.DataDir, name))
	default:
		if !isFolder(name) {
			return imageSet{}, misuse("%w, or a folder of IDX files", unknown("--dataset", name, []string{"mnist", "strokes", "cifar10"}))
		}
		if m, err = dataset.LoadIDX(name); err != nil {
			return imageSet{}, err
		}
		return imageSet{name, note, &m}, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; see psgld-tui data list", err)
	}
	if err != nil {
		return imageSet{}, err
	}
	return imageSet{name, note, &m}, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
