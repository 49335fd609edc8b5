package dataset

import (
	"fmt"
	"io"
	"path/filepath"
)

// Shape of the binary version of CIFAR-10: a record is a label and 32×32 values each of red, green and blue.
const (
	cifarSide    = 32
	cifarPlane   = cifarSide * cifarSide
	cifarRecord  = 1 + 3*cifarPlane
	cifarRecords = 10_000 // in each file
	cifarFolder  = "cifar-10-batches-bin"
)

// cifarFiles are five batches to train and one to test.
var cifarFiles = []string{
	"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin",
	"test_batch.bin",
}

// cifarClasses are the lines of batches.meta.txt, which lies beside the files.
var cifarClasses = []string{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}

// LoadCIFAR10 reads the binary version of CIFAR-10 from a folder, or from cifar-10-batches-bin in it, which is how the
// archive unpacks: 50,000 images to train and 10,000 to test. The files hold red, green and blue as planes; here a
// pixel's channels are side by side. What is read is counted by at. An error is one line that starts with the file's
// name; if a file is missing, errors.Is(err, fs.ErrNotExist) holds.
//
// Source: Krizhevsky, "Learning multiple layers of features from tiny
// images", 2009, and his page on the set, "Binary version".
func LoadCIFAR10(dir string, at *Reading) (Images, error) {
	if inner := filepath.Join(dir, cifarFolder); !isFile(filepath.Join(dir, cifarFiles[0])) && IsFolder(inner) {
		dir = inner
	}
	for _, name := range cifarFiles {
		if !isFile(filepath.Join(dir, name)) {
			return Images{}, absent(dir, name)
		}
	}
	m, err := loadCIFAR(dir, cifarFiles, cifarRecords, at)
	if err != nil {
		return Images{}, err
	}
	m.Name, m.ClassNames = "cifar10", cifarClasses
	return m, nil
}

// loadCIFAR reads files of the given number of records each, the last to test.
// All sizes are checked before anything is allocated.
func loadCIFAR(dir string, names []string, records int, at *Reading) (Images, error) {
	for _, name := range names {
		err := openImages(filepath.Join(dir, name), nil, func(b *binaryFile, size int64) error {
			if want := int64(records) * cifarRecord; size != want {
				return b.errorf("%d bytes, want %d (%d images of 32×32×3 and their labels)", size, want, records)
			}
			return nil
		})
		if err != nil {
			return Images{}, err
		}
	}
	const pixels = 3 * cifarPlane
	train := (len(names) - 1) * records
	m := Images{
		Rows: cifarSide, Cols: cifarSide, Channels: 3, Classes: digits,
		TrainX: make([]uint8, train*pixels), TrainY: make([]uint8, train),
		TestX: make([]uint8, records*pixels), TestY: make([]uint8, records),
	}
	err := together(len(names), func(i int) error {
		x, y := m.TestX, m.TestY
		if first := i * records; first < train {
			x, y = m.TrainX[first*pixels:][:records*pixels], m.TrainY[first:][:records]
		}
		return openImages(filepath.Join(dir, names[i]), at, func(b *binaryFile, _ int64) error {
			return readCIFAR(b, x, y)
		})
	})
	if err != nil {
		return Images{}, err
	}
	return m, nil
}

// readCIFAR reads len(y) records and holds that nothing follows.
func readCIFAR(b *binaryFile, x, y []uint8) error {
	var record [cifarRecord]uint8
	for i := range y {
		if n, err := io.ReadFull(b.r, record[:]); err != nil {
			return b.readError(err, n, len(record), fmt.Sprintf("image %d", i+1))
		}
		if record[0] >= digits {
			return b.errorf("label %d is %d, want 0 to %d", i+1, record[0], digits-1)
		}
		y[i] = record[0]
		red, green, blue := record[1:][:cifarPlane], record[1+cifarPlane:][:cifarPlane],
			record[1+2*cifarPlane:][:cifarPlane]
		out := x[i*3*cifarPlane:][:3*cifarPlane]
		for j := range red {
			out[3*j], out[3*j+1], out[3*j+2] = red[j], green[j], blue[j]
		}
	}
	return b.end("images")
}
