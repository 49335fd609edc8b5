package numpy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Magic is what an array's file begins with.
const Magic = "\x93NUMPY"

// maxHeader bounds the bytes of a header. Only that of a record with many fields is longer.
const maxHeader = 1 << 16

// maxDims bounds the dimensions of an array, as NumPy does.
const maxDims = 64

var (
	descr   = regexp.MustCompile(`['"]descr['"]:\s*['"]([^'"]*)['"]`)
	fortran = regexp.MustCompile(`['"]fortran_order['"]:\s*(True|False)`)
	shaped  = regexp.MustCompile(`['"]shape['"]:\s*\(([0-9L,\s]*)\)`)
)

// ReadFloats reads an array of float64 or float32, little-endian, that NumPy or another program wrote: row by row,
// whatever order they stand in. It reads at most most numbers. The error says what the file has instead.
func ReadFloats(r io.Reader, most int) (values []float64, shape []int, err error) {
	kind, columns, shape, err := readHeader(r)
	if err != nil {
		return nil, nil, err
	}
	size := map[string]int{"<f8": 8, "<f4": 4}[kind]
	if size == 0 {
		return nil, nil, fmt.Errorf("it has numbers of the type %q, want float64 or float32 (<f8 or <f4)", kind)
	}
	n := 1
	for _, d := range shape {
		if d > 0 && n > most/d {
			return nil, nil, fmt.Errorf("it has the shape %s, want at most %d numbers", Shape(shape), most)
		}
		n *= d
	}
	if values, err = readNumbers(r, n, size); err != nil {
		return nil, nil, err
	}
	if columns && len(shape) > 1 {
		values = byRows(values, shape)
	}
	return values, shape, nil
}

// Shape is a shape as Python writes it: (2, 3), and (2,) of one dimension.
func Shape(shape []int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		text += "," // else Python reads a number
	}
	return "(" + text + ")"
}

// readHeader reads what comes before the numbers, of version 1.0, 2.0 or 3.0. columns says that
// the first index is the fastest.
func readHeader(r io.Reader) (kind string, columns bool, shape []int, err error) {
	cut := errors.New("its header is cut off")
	var head [12]byte
	if _, err := io.ReadFull(r, head[:10]); err != nil {
		return "", false, nil, told(err, cut)
	}
	length := uint32(binary.LittleEndian.Uint16(head[8:]))
	if string(head[:len(Magic)]) != Magic || head[6] < 1 || head[6] > 3 {
		return "", false, nil, errors.New("it is no array in NumPy's form of version 1, 2 or 3")
	}
	if head[6] > 1 {
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return "", false, nil, told(err, cut)
		}
		length = binary.LittleEndian.Uint32(head[8:])
	}
	if length > maxHeader {
		return "", false, nil, fmt.Errorf("it has a header of %d bytes, want at most %d", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return "", false, nil, told(err, cut)
	}
	bad := errors.New("its header does not say the type, the order and the shape of an array")
	d, f, s := descr.FindSubmatch(text), fortran.FindSubmatch(text), shaped.FindSubmatch(text)
	if d == nil || f == nil || s == nil {
		return "", false, nil, bad
	}
	for dim := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(string(s[1])), ","), ",") {
		if dim = strings.TrimSuffix(strings.TrimSpace(dim), "L"); dim == "" && len(shape) == 0 {
			break // a number alone
		}
		n, err := strconv.ParseUint(dim, 10, 31)
		if err != nil || len(shape) == maxDims {
			return "", false, nil, bad
		}
		shape = append(shape, int(n))
	}
	return string(d[1]), string(f[1]) == "True", shape, nil
}

// told is what the end of a file means, or another error as it is.
func told(err, end error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return end
	}
	return err
}

// readNumbers reads n numbers of so many bytes, and the end of the file. What it takes grows with
// what is read, for a header may promise anything.
func readNumbers(r io.Reader, n, size int) ([]float64, error) {
	const block = 1 << 16
	values := make([]float64, 0, min(n, block))
	bytes := make([]byte, block*size)
	for len(values) < n {
		part := bytes[:min(n-len(values), block)*size]
		if got, err := io.ReadFull(r, part); err != nil {
			return nil, told(err, fmt.Errorf("it ends after %d of %d numbers", len(values)+got/size, n))
		}
		for ; len(part) > 0; part = part[size:] {
			if size == 4 {
				values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(part))))
			} else {
				values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(part)))
			}
		}
	}
	if _, err := io.ReadFull(r, bytes[:1]); err == nil {
		return nil, fmt.Errorf("it goes on after its %d numbers", n)
	} else if told(err, nil) != nil {
		return nil, err
	}
	return values, nil
}

// byRows is an array whose last index is the fastest, of one whose first is.
func byRows(values []float64, shape []int) []float64 {
	out := make([]float64, len(values))
	for at := range values {
		from, stride, rest := 0, len(values), at
		for k := len(shape) - 1; k >= 0; k-- { // the last index first
			stride /= shape[k]
			from += rest % shape[k] * stride
			rest /= shape[k]
		}
		out[at] = values[from]
	}
	return out
}
