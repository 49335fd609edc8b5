package regular

import (
	"bufio"
	"errors"
)

// ErrLong is the error of a line that is too long.
var ErrLong = errors.New("the line is too long")

// Line reads a line of at most so many bytes, with its end. The last line of a file comes with io.EOF, and is empty if
// the file ends with a line's end. Where a line outgrows r it is put together in long. It is good until the next call.
func Line(r *bufio.Reader, long *[]byte, most int) ([]byte, error) {
	*long = (*long)[:0]
	return Rest(r, long, most)
}

// Rest is Line of a line of which long has the beginning. Where the file ends, long has all of it that
// has come, so that Rest goes on once the file has grown.
func Rest(r *bufio.Reader, long *[]byte, most int) ([]byte, error) {
	for {
		line, err := r.ReadSlice('\n')
		if len(*long)+len(line) > most {
			return nil, ErrLong
		}
		full := errors.Is(err, bufio.ErrBufferFull)
		if full || len(*long) > 0 || err != nil {
			*long = append(*long, line...)
			line = *long
		}
		if !full {
			return line, err
		}
	}
}
