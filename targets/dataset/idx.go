package dataset

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// The first four bytes of an IDX file: two zeros, the type of its values
// (8 for unsigned bytes) and the number of its dimensions.
const (
	idxLabels = 0x00000801
	idxImages = 0x00000803
)

// An idxPart is one of the four files of a set.
type idxPart struct {
	stem  string // before "-idx3-ubyte"
	magic uint32
}

var idxParts = [4]idxPart{
	{"train-images", idxImages}, {"train-labels", idxLabels}, {"t10k-images", idxImages}, {"t10k-labels", idxLabels},
}

// names are the part's file names as they occur: LeCun's page packed "train-images-idx3-ubyte.gz", and unpacking it
// there gave "train-images.idx3-ubyte".
func (p idxPart) names() []string {
	kind := "idx3-ubyte"
	if p.magic == idxLabels {
		kind = "idx1-ubyte"
	}
	dash, dot := p.stem+"-"+kind, p.stem+"."+kind
	return []string{dash, dash + ".gz", dot, dot + ".gz"}
}

// find returns the path of the part in dir, or "" if it is not there.
func (p idxPart) find(dir string) string {
	path, _ := list.Find(list.Map(p.names(), func(name string) string { return filepath.Join(dir, name) }), isFile)
	return path
}

// HasIDX reports by name alone whether dir holds the four files of LoadIDX.
func HasIDX(dir string) bool {
	return !slices.ContainsFunc(idxParts[:], func(p idxPart) bool { return p.find(dir) == "" })
}

// LoadIDX reads a set in the IDX format of MNIST from a folder: images and labels to train and to test, named as
// MNIST's files are, plain or gzipped. The images may have any size up to MaxSide; all must have the same. Labels run
// from 0 to 9. What is read is counted by at. An error is one line that starts with the file's name; if a file is
// missing, errors.Is(err, fs.ErrNotExist) holds.
//
// Source: LeCun, Cortes and Burges, "The MNIST database of handwritten digits", section "File formats".
func LoadIDX(dir string, at *Reading) (Images, error) {
	var path [4]string
	for i, p := range idxParts {
		if path[i] = p.find(dir); path[i] == "" {
			return Images{}, absent(dir, p.names()...)
		}
	}
	var got [4]idxFile
	err := together(len(idxParts), func(i int) error {
		return openImages(path[i], at, func(b *binaryFile, _ int64) (err error) {
			got[i], err = readIDX(b, idxParts[i].magic)
			return err
		})
	})
	if err != nil {
		return Images{}, err
	}
	train, test := got[0], got[2]
	for i := 0; i < len(got); i += 2 {
		if n, labels := got[i].n, got[i+1].n; n != labels {
			return Images{}, fmt.Errorf("%s: %d labels, but %s has %d images",
				filepath.Base(path[i+1]), labels, filepath.Base(path[i]), n)
		}
	}
	if train.rows != test.rows || train.cols != test.cols {
		return Images{}, fmt.Errorf("%s: images of %d×%d, but those of %s are %d×%d",
			filepath.Base(path[2]), test.rows, test.cols, filepath.Base(path[0]), train.rows, train.cols)
	}
	return Images{
		Rows: train.rows, Cols: train.cols, Channels: 1, Classes: digits,
		TrainX: train.data, TrainY: got[1].data,
		TestX: test.data, TestY: got[3].data,
		Name: filepath.Base(filepath.Clean(dir)),
	}, nil
}

// An idxFile is the content of one file: n images of rows × cols, or n labels.
type idxFile struct {
	n, rows, cols int
	data          []uint8
}

// readIDX reads a file whose magic number must be want. Layout, numbers
// big-endian: magic, n, for images rows and cols, and the values.
func readIDX(b *binaryFile, want uint32) (idxFile, error) {
	var word [12]byte
	if err := b.fill(word[:8], "the header"); err != nil {
		return idxFile{}, err
	}
	magic, n := binary.BigEndian.Uint32(word[:]), binary.BigEndian.Uint32(word[4:])
	if magic != want {
		return idxFile{}, b.errorf("%s", mislabelled(magic, want))
	}
	if n == 0 {
		return idxFile{}, b.errorf("no %s", content(want))
	}
	f := idxFile{n: int(n), rows: 1, cols: 1}
	size := int(n)
	switch {
	case want == idxLabels && n > maxCount:
		return idxFile{}, b.errorf("%d labels, want at most %d", n, maxCount)
	case want == idxImages:
		if err := b.fill(word[:8], "the image size"); err != nil {
			return idxFile{}, err
		}
		rows, cols := binary.BigEndian.Uint32(word[:]), binary.BigEndian.Uint32(word[4:])
		var err error
		if size, err = imageBytes(b, n, rows, cols); err != nil {
			return idxFile{}, err
		}
		f.rows, f.cols = int(rows), int(cols)
	}
	var err error
	if f.data, err = b.take(size, content(want)); err != nil {
		return idxFile{}, err
	}
	if err := b.end(content(want)); err != nil {
		return idxFile{}, err
	}
	if want == idxLabels {
		if i := slices.IndexFunc(f.data, func(y uint8) bool { return y >= digits }); i >= 0 {
			return idxFile{}, b.errorf("label %d is %d, want 0 to %d", i+1, f.data[i], digits-1)
		}
	}
	return f, nil
}

// content is what a file with this magic number holds.
func content(magic uint32) string {
	if magic == idxLabels {
		return "labels"
	}
	return "images"
}

// mislabelled words a wrong magic number.
func mislabelled(magic, want uint32) string {
	got := "no IDX file"
	switch {
	case magic == idxLabels || magic == idxImages:
		got = "a file of " + content(magic)
	case magic>>16 == 0:
		got = fmt.Sprintf("an IDX file of type %#02x with %d dimensions", magic>>8, magic&0xff)
	}
	return fmt.Sprintf("magic number 0x%08x, %s, want 0x%08x, %s", magic, got, want, content(want))
}
