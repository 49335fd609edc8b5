package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// idx is an IDX file: a header of big-endian words and its data.
func idx(data string, header ...uint32) string {
	var b []byte
	for _, w := range header {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return string(b) + data
}

func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// smallIDX is a set of three 2×1 images to train and one to test.
func smallIDX() map[string]string {
	return map[string]string{
		"train-images-idx3-ubyte":    idx("abcdef", idxImages, 3, 2, 1),
		"train-labels-idx1-ubyte.gz": packed(idx("\x00\x09\x05", idxLabels, 3)),
		"t10k-images.idx3-ubyte.gz":  packed(idx("yz", idxImages, 1, 2, 1)),
		"t10k-labels.idx1-ubyte":     idx("\x07", idxLabels, 1),
	}
}

func TestLoadIDX(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "small")
	writeAll(t, dir, smallIDX())
	m, err := LoadIDX(dir, nil)
	if err != nil || !HasIDX(dir) {
		t.Fatal(err, HasIDX(dir))
	}
	if m.Rows != 2 || m.Cols != 1 || m.Channels != 1 || m.Classes != 10 || m.Pixels() != 2 || m.Name != "small" {
		t.Errorf("%d×%d×%d, %d classes, named %q", m.Rows, m.Cols, m.Channels, m.Classes, m.Name)
	}
	if string(m.TrainX) != "abcdef" || string(m.TrainY) != "\x00\x09\x05" || string(m.TestX) != "yz" ||
		string(m.TestY) != "\x07" {
		t.Errorf("%q %q %q %q", m.TrainX, m.TrainY, m.TestX, m.TestY)
	}
}

func TestLoadIDXRefuses(t *testing.T) {
	const ti, tl, ei, el = "train-images-idx3-ubyte", "train-labels-idx1-ubyte.gz", "t10k-images.idx3-ubyte.gz",
		"t10k-labels.idx1-ubyte"
	whole := packed(idx("\x00\x09\x05", idxLabels, 3))
	random := make([]byte, 1<<16) // does not compress, so that a cut hits the data
	for i := range random {
		random[i] = byte(i * i >> 7 * 31)
	}
	big := packed(idx(string(random), idxImages, 1, 256, 256))
	for name, c := range map[string]struct{ file, text, want string }{
		"missing": {ti, "", "no train-images-idx3-ubyte, train-images-idx3-ubyte.gz, train-images.idx3-ubyte or " +
			"train-images.idx3-ubyte.gz"},
		"empty": {el, "empty", el + ": the file is truncated: 0 of 8 bytes of the header"},
		"short header": {ti, idx("", idxImages, 3, 2),
			ti + ": the file is truncated: 4 of 8 bytes of the image size"},
		"truncated": {ti, idx("abcde", idxImages, 3, 2, 1),
			ti + ": the file is truncated: 5 of 6 bytes of images"},
		"trailing": {ti, idx("abcdefg", idxImages, 3, 2, 1), ti + ": bytes follow the last of the images"},
		"labels": {ti, idx("\x01", idxLabels, 1),
			ti + ": magic number 0x00000801, a file of labels, want 0x00000803, images"},
		"images": {el, idx("ab", idxImages, 1, 2, 1),
			el + ": magic number 0x00000803, a file of images, want 0x00000801, labels"},
		"floats": {ti, idx("abcd", 0x0d02, 1, 1),
			ti + ": magic number 0x00000d02, an IDX file of type 0x0d with 2 dimensions, want 0x00000803, images"},
		"text":      {ti, "1 1:2 3:4\n", ti + ": magic number 0x3120313a, no IDX file, want 0x00000803, images"},
		"no rows":   {ti, idx("", idxImages, 3, 0, 5), ti + ": images of 0×5, want at least 1×1"},
		"no images": {ti, idx("", idxImages, 0, 2, 1), ti + ": no images"},
		"huge side": {ti, idx("", idxImages, 0xffffffff, 0xffffffff, 0xffffffff),
			ti + ": 4294967295 images of 4294967295×4294967295, 79228162458924105385300197375 bytes, " +
				"want sides up to 4096"},
		"large side": {ti, idx("", idxImages, 2, 4097, 10),
			ti + ": 2 images of 4097×10, 81940 bytes, want sides up to 4096"},
		"large": {ti, idx("", idxImages, 1000, 4096, 4096),
			ti + ": 1000 images of 4096×4096 are 16777216000 bytes, want at most 2147483648"},
		"promises": {ti, idx("abc", idxImages, 100, 4096, 4096),
			ti + ": the file is truncated: at most 19 of 1677721600 bytes of images"},
		"many labels": {el, idx("", idxLabels, 0xffffffff), el + ": 4294967295 labels, want at most 2147483647"},
		"label":       {tl, packed(idx("\x00\x0a\x05", idxLabels, 3)), tl + ": label 2 is 10, want 0 to 9"},
		"fewer labels": {tl, packed(idx("\x01\x02", idxLabels, 2)),
			tl + ": 2 labels, but train-images-idx3-ubyte has 3 images"},
		"other size": {ei, packed(idx("yz", idxImages, 1, 1, 2)),
			ei + ": images of 1×2, but those of train-images-idx3-ubyte are 2×1"},
		"gzip cut":    {ei, big[:len(big)/2], ei + ": the file is truncated: "},
		"gzip no sum": {tl, whole[:len(whole)-5], tl + ": the gzip file is cut off before its checksum"},
		"gzip wrong sum": {tl, whole[:len(whole)-8] + "abcd" + whole[len(whole)-4:],
			tl + ": broken gzip file after the last of the labels: "},
		"gzip trailing":   {tl, whole + "x", tl + ": the gzip file is cut off before its checksum"},
		"gzip trailing 2": {tl, whole + "more than a header of gzip", tl + ": bytes follow the gzipped data"},
		"gzip header":     {tl, "\x1f\x8b\x08", tl + ": broken gzip file: unexpected EOF"},
		"gzip broken": {tl, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff",
			tl + ": reading after 0 of 8 bytes of the header: flate: corrupt input"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := smallIDX()
			delete(files, c.file)
			if c.text != "" {
				files[c.file] = strings.TrimPrefix(c.text, "empty")
			}
			writeAll(t, dir, files)
			_, err := LoadIDX(dir, nil)
			if err == nil {
				t.Fatal("no error")
			}
			line := strings.TrimPrefix(err.Error(), dir+": ")
			if !strings.HasPrefix(line, c.want) || strings.Contains(line, "\n") {
				t.Errorf("error %q, want %q", err, c.want)
			}
			if missing := c.text == ""; errors.Is(err, fs.ErrNotExist) != missing || HasIDX(dir) == missing {
				t.Errorf("missing is wrong: %v", err)
			}
		})
	}
	if _, err := LoadIDX(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// record is a CIFAR record whose channels count up from a value.
func record(label, from byte) string {
	b := bytes.Repeat([]byte{label}, cifarRecord)
	for c := range 3 {
		for j := range cifarPlane {
			b[1+c*cifarPlane+j] = from + byte(100*c) + byte(j)
		}
	}
	return string(b)
}

func TestLoadCIFAR(t *testing.T) {
	dir := t.TempDir()
	names := []string{"data_batch_1.bin", "data_batch_2.bin", "test_batch.bin"}
	writeAll(t, dir, map[string]string{
		names[0]: record(0, 1) + record(1, 2),
		names[1]: record(2, 3) + record(9, 4),
		names[2]: record(7, 5) + record(8, 6),
	})
	m, err := loadCIFAR(dir, names, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows != 32 || m.Cols != 32 || m.Channels != 3 || string(m.TrainY) != "\x00\x01\x02\x09" ||
		string(m.TestY) != "\x07\x08" {
		t.Fatalf("%d×%d×%d, labels %v and %v", m.Rows, m.Cols, m.Channels, m.TrainY, m.TestY)
	}
	for i, x := range slices.Concat(m.TrainX, m.TestX) {
		from, place := byte(i/m.Pixels()+1), i%m.Pixels()
		if want := from + byte(100*(place%3)) + byte(place/3); x != want {
			t.Fatalf("value %d of image %d is %d, want %d", place, from, x, want)
		}
	}
	for name, c := range map[string]struct{ text, want string }{
		"truncated": {record(0, 0) + record(0, 0)[1:],
			"data_batch_2.bin: 6145 bytes, want 6146 (2 images of 32×32×3 and their labels)"},
		"trailing": {record(0, 0) + record(0, 0) + "x", "data_batch_2.bin: 6147 bytes, want 6146"},
		"label":    {record(3, 0) + record(10, 0), "data_batch_2.bin: label 2 is 10, want 0 to 9"},
	} {
		writeAll(t, dir, map[string]string{names[1]: c.text})
		if _, err := loadCIFAR(dir, names, 2, nil); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := LoadCIFAR10(dir, nil); !errors.Is(err, fs.ErrNotExist) || err.Error() != dir+": no data_batch_3.bin" {
		t.Error(err)
	}
	if _, err := LoadCIFAR10(filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	files := map[string]string{}
	for _, name := range cifarFiles {
		files[filepath.Join("two", cifarFolder, name)] = "x"
	}
	writeAll(t, dir, files)
	if _, err := LoadCIFAR10(filepath.Join(dir, "two"), nil); err == nil ||
		!strings.HasPrefix(err.Error(), "data_batch_1.bin: 1 bytes, want 30730000 (10000 images") {
		t.Error(err)
	}
}

// Facts of MNIST that its page or any histogram of its labels gives: 5923
// zeros and 6742 ones to train, 980 and 1135 to test, the first training digit
// is a 5, and the mean pixel is 33.318.
func TestMNIST(t *testing.T) {
	dir := os.Getenv("PSGLD_DATA")
	if dir == "" {
		t.Skip("PSGLD_DATA not set")
	}
	start := time.Now()
	m, err := LoadIDX(filepath.Join(dir, "mnist"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("read in %v", time.Since(start))
	if len(m.TrainY) != 60_000 || len(m.TestY) != 10_000 || m.Rows != 28 || m.Cols != 28 || m.TrainY[0] != 5 ||
		m.Name != "mnist" {
		t.Errorf("%d + %d of %d×%d, first %d, named %q",
			len(m.TrainY), len(m.TestY), m.Rows, m.Cols, m.TrainY[0], m.Name)
	}
	var train, test [10]int
	for _, y := range m.TrainY {
		train[y]++
	}
	for _, y := range m.TestY {
		test[y]++
	}
	if train[0] != 5923 || train[1] != 6742 || test[0] != 980 || test[1] != 1135 {
		t.Errorf("%v and %v of each class", train, test)
	}
	sum := 0
	for _, x := range m.TrainX {
		sum += int(x)
	}
	if mean := float64(sum) / float64(len(m.TrainX)); mean < 33.318 || mean > 33.319 {
		t.Errorf("mean pixel %v", mean)
	}
}

// Facts of CIFAR-10 that its page and those who use it give: 5,000 images of each class to
// train and 1,000 to test, of which the first are a frog and a cat, the first pixel, and the
// mean of each channel, 0.4914, 0.4822 and 0.4465 of 255.
func TestCIFAR10(t *testing.T) {
	dir := filepath.Join(os.Getenv("PSGLD_DATA"), "cifar10")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	m, err := LoadCIFAR10(dir, nil)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("CIFAR-10 is not in PSGLD_DATA")
	}
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	taken := after.TotalAlloc - before.TotalAlloc
	t.Logf("read in %v, %d bytes allocated", time.Since(start), taken)
	const values = 60_000 * 3072
	if most := uint64(values + values/50); taken > most {
		t.Errorf("%d bytes allocated, want %d at most", taken, most)
	}
	var train, test, want [10]int
	for _, y := range m.TrainY {
		train[y]++
	}
	for _, y := range m.TestY {
		test[y]++
		want[y] = 1000
	}
	if test != want || train != [10]int{5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000} {
		t.Errorf("%v and %v of each class", train, test)
	}
	if first := string(m.TrainX[:3]); m.TrainY[0] != 6 || m.TestY[0] != 3 || first != "\x3b\x3e\x3f" {
		t.Errorf("the first are %d and %d, the first pixel %q", m.TrainY[0], m.TestY[0], first)
	}
	var sum [3]int
	for i, x := range m.TrainX {
		sum[i%3] += int(x)
	}
	for c, want := range [3]float64{0.4914, 0.4822, 0.4465} {
		if mean := float64(sum[c]) / 255 / float64(len(m.TrainX)/3); math.Abs(mean-want) > 5e-5 {
			t.Errorf("channel %d has a mean of %v, want %v", c, mean, want)
		}
	}
}

// holdImages holds an error to be one line and the memory taken to be in
// proportion to the text.
func holdImages(t *testing.T, text string, read func(b *binaryFile) error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := newBinary("f", strings.NewReader(text), int64(len(text)))
	if err == nil {
		err = read(b)
	}
	runtime.ReadMemStats(&after)
	most := uint64(2<<20 + 16*len(text))
	if strings.HasPrefix(text, "\x1f\x8b") {
		most += uint64(4 * 1032 * len(text))
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
		t.Errorf("%d bytes allocated for %d", taken, len(text))
	}
	if err != nil && (!strings.HasPrefix(err.Error(), "f: ") || strings.ContainsAny(err.Error(), "\n\r")) {
		t.Errorf("error %q", err)
	}
}

func FuzzIDX(f *testing.F) {
	for _, s := range []string{
		idx("abcdef", idxImages, 3, 2, 1), idx("\x00\x09\x05", idxLabels, 3), packed(idx("ab", idxImages, 1, 2, 1)),
		idx("", idxImages, 1<<31, 4096, 4096), idx("", idxImages, 128, 4096, 4096), idx("", idxLabels, 1<<31-1), "",
		"\x1f\x8b\x08\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, magic := range []uint32{idxImages, idxLabels} {
			holdImages(t, text, func(b *binaryFile) error {
				got, err := readIDX(b, magic)
				if err != nil {
					return err
				}
				if len(got.data) != got.n*got.rows*got.cols || got.n < 1 || got.rows < 1 || got.cols < 1 {
					t.Errorf("%d bytes of %d×%d×%d", len(got.data), got.n, got.rows, got.cols)
				}
				if magic == idxLabels && slices.Max(got.data) > 9 {
					t.Errorf("label %d", slices.Max(got.data))
				}
				if plain := !strings.HasPrefix(text, "\x1f\x8b"); plain && !strings.HasSuffix(text, string(got.data)) {
					t.Error("not the file's data")
				}
				return nil
			})
		}
	})
}

func FuzzCIFAR(f *testing.F) {
	f.Add(record(1, 2)+record(9, 3), uint8(2))
	f.Add(record(1, 2)+record(10, 3), uint8(2))
	f.Add(record(1, 2)[:100], uint8(1))
	f.Add(packed(record(1, 2)), uint8(1))
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		x, y := make([]uint8, int(n)*(cifarRecord-1)), make([]uint8, n)
		holdImages(t, text, func(b *binaryFile) error {
			err := readCIFAR(b, x, y)
			if plain := !strings.HasPrefix(text, "\x1f\x8b"); err == nil && plain && len(text) != int(n)*cifarRecord {
				t.Errorf("%d records from %d bytes", n, len(text))
			}
			if n > 0 && slices.Max(y) > 9 {
				t.Errorf("label %d", slices.Max(y))
			}
			return err
		})
	})
}
