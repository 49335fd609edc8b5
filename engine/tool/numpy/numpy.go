// Package numpy writes arrays in NumPy's forms, and reads those that it wrote, and arrays of
// floating-point numbers that others wrote.
package numpy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// kind is the name of an array's type. It panics on one that NPY does not write.
func kind(values any) string {
	switch values.(type) {
	case []uint8:
		return "|u1"
	case []uint16:
		return "<u2"
	case []float32:
		return "<f4"
	case []float64:
		return "<f8"
	}
	panic(fmt.Sprintf("numpy: an array of %T", values))
}

// NPY is an array of []uint8, []uint16, []float32 or []float64 in NumPy's form, version 1.0 (NumPy Enhancement Proposal
// 1): "\x93NUMPY", the version, the length of the header, the header, filled up with
// blanks to a multiple of 64 bytes, and the numbers, row by row, little-endian.
func NPY(shape []int, values any) []byte {
	b, err := binary.Append(header(kind(values), shape), binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return b
}

// header is what comes before the numbers.
func header(kind string, shape []int) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, Shape(shape))
	const before, align = 10, 64
	header += strings.Repeat(" ", (align-(before+len(header)+1)%align)%align) + "\n"
	b := binary.LittleEndian.AppendUint16([]byte(Magic+"\x01\x00"), uint16(len(header)))
	return append(b, header...)
}

// A File is one of an archive. numpy.load gives that of an array by its name without ".npy", and any
// other file's bytes.
type File struct {
	Name    string
	Content []byte
}

// Pack makes an NPZ file, in which each file is compressed.
func Pack(files ...File) []byte {
	var to bytes.Buffer
	z := zip.NewWriter(&to)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = w.Write(f.Content)
		}
		if err != nil {
			panic(err) // a Buffer takes all
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return to.Bytes()
}

// MaxArchive is what the files of an archive that is read may take, unpacked, and maxFiles how many there may be.
const (
	MaxArchive = 256 << 20
	maxFiles   = 1 << 14
)

// Unpack reads the files of an archive. The error is that of what is no archive, or of one larger than MaxArchive.
func Unpack(b []byte) (map[string][]byte, error) {
	if bytes.Count(b, []byte("PK\x01\x02")) > maxFiles { // before each takes memory
		return nil, fmt.Errorf("it has more than %d files", maxFiles)
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, errors.New("it is no archive of arrays")
	}
	files := map[string][]byte{}
	left := uint64(MaxArchive)
	for _, f := range r.File {
		if f.UncompressedSize64 > left {
			return nil, fmt.Errorf("it takes more than %d MB when unpacked", MaxArchive>>20)
		}
		left -= f.UncompressedSize64
		in, err := f.Open()
		if err != nil {
			return nil, errors.New("it is a damaged archive")
		}
		// to its end, where the checksum is
		content, err := io.ReadAll(io.LimitReader(in, int64(f.UncompressedSize64)+1))
		_ = in.Close() // it was only read
		if err != nil || uint64(len(content)) != f.UncompressedSize64 {
			return nil, errors.New("it is a damaged archive")
		}
		files[f.Name] = content
	}
	return files, nil
}

// Read reads an array that NPY wrote, of a type and with so many dimensions. Its length is the product of shape.
func Read[T uint8 | uint16 | float32 | float64](b []byte, dims int) (values []T, shape []int, err error) {
	bad := errors.New("not the array that is wanted")
	_, _, shape, err = readHeader(bytes.NewReader(b))
	data, ours := bytes.CutPrefix(b, header(kind(values), shape))
	if err != nil || !ours || len(shape) != dims {
		return nil, nil, bad
	}
	n := 1
	for _, d := range shape {
		if d > 0 && n > math.MaxInt32/d {
			return nil, nil, bad
		}
		n *= d
	}
	if len(data) != n*binary.Size(T(0)) {
		return nil, nil, bad
	}
	values = make([]T, n)
	if _, err := binary.Decode(data, binary.LittleEndian, values); err != nil {
		return nil, nil, bad
	}
	return values, shape, nil
}
