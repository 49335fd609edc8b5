package ptytest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi/kitty"
)

// Kitty is the graphics of a terminal with Kitty's protocol. It reads what programs write,
// and answers as the terminal does.
type Kitty struct {
	// Name answers XTVERSION; empty for a terminal that does not answer.
	Name string
	// Answer takes the answers.
	Answer func(string)
	// Deaf drops what is passed through tmux, which stands between if Name is its.
	Deaf atomic.Bool

	mu      sync.Mutex
	rest    []byte
	loading map[string]string // of the image in the air
	payload []byte
	images  map[int]KittyImage
	sent    int // images that came as a whole
}

// KittyImage is an image with its virtual placement.
type KittyImage struct {
	image.Image
	Cols, Rows int
}

// sequence is one of those that matter: a graphics command, XTVERSION, XTGETTCAP of TN, and what goes through tmux.
var sequence = regexp.MustCompile(`\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\|(\x1b\[>0?q)|(\x1bP\+q544[eE]\x1b\\)|\x1bPtmux;((?:[^\x1b]|\x1b\x1b)*)\x1b\\`)

// begun is the start of a sequence that may matter and has not ended.
var begun = regexp.MustCompile(`\x1b[_P]|\x1b(?:\[(?:>0?)?)?$`)

// Write implements io.Writer.
func (k *Kitty) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rest = append(k.rest, b...)
	for {
		m := sequence.FindSubmatchIndex(k.rest)
		if m == nil {
			break
		}
		k.take(k.rest, m, strings.HasPrefix(k.Name, "tmux"))
		k.rest = k.rest[m[1]:]
	}
	at := len(k.rest)
	if m := begun.FindIndex(k.rest); m != nil {
		at = m[0]
	}
	k.rest = k.rest[at:]
	return len(b), nil
}

// take takes a match in b. Through tells that tmux is between, which takes nothing else.
func (k *Kitty) take(b []byte, m []int, tmux bool) {
	part := func(n int) string { return string(b[m[2*n]:m[2*n+1]]) }
	switch {
	case m[6] >= 0:
		if k.Name != "" {
			k.Answer("\x1bP>|" + k.Name + "\x1b\\")
		}
	case m[10] >= 0:
		if inner := []byte(strings.ReplaceAll(part(5), "\x1b\x1b", "\x1b")); tmux && !k.Deaf.Load() {
			if n := sequence.FindSubmatchIndex(inner); n != nil {
				k.take(inner, n, false)
			}
		}
	case tmux || k.Name == "":
	case m[8] >= 0:
		k.Answer("\x1bP1+r544e=787465726d2d6b69747479\x1b\\") // xterm-kitty
	default:
		payload := ""
		if m[4] >= 0 {
			payload = part(2)
		}
		k.command(part(1), payload)
	}
}

// command does a graphics command.
func (k *Kitty) command(control, payload string) {
	keys := map[string]string{}
	for pair := range strings.SplitSeq(control, ",") {
		name, value, _ := strings.Cut(pair, "=")
		keys[name] = value
	}
	number := func(name string) int { n, _ := strconv.Atoi(keys[name]); return n }
	answer := func(text string) {
		if number("q") == 0 {
			k.Answer(fmt.Sprintf("\x1b_Gi=%d;%s\x1b\\", number("i"), text))
		}
	}
	switch {
	case keys["a"] == "q":
		answer("OK")
		return
	case keys["a"] == "d":
		if keys["d"] == "I" {
			delete(k.images, number("i"))
		}
		return
	case k.loading != nil: // a later chunk
		last := keys["m"]
		keys = k.loading
		keys["m"] = last
	}
	k.payload = append(k.payload, payload...)
	if keys["m"] == "1" {
		k.loading = keys
		return
	}
	data, err := base64.StdEncoding.DecodeString(string(k.payload))
	k.loading, k.payload = nil, nil
	var m image.Image
	if err == nil {
		m, err = png.Decode(bytes.NewReader(data))
	}
	if err != nil || keys["U"] != "1" || keys["f"] != "100" || number("c") < 1 || number("r") < 1 {
		answer(fmt.Sprintf("EINVAL:%v", err))
		return
	}
	if k.images == nil {
		k.images = map[int]KittyImage{}
	}
	k.images[number("i")] = KittyImage{m, number("c"), number("r")}
	k.sent++
	answer("OK")
}

// Images are the images that the terminal holds, by their numbers, and how many were sent.
func (k *Kitty) Images() (all map[int]KittyImage, sent int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.images), k.sent
}

// Piece is what a cell shows of an image: its number, column and row. It is false for a cell with text.
func Piece(c *uv.Cell) (id, col, row int, ok bool) {
	if c == nil {
		return 0, 0, 0, false
	}
	r := []rune(c.Content)
	if len(r) == 0 || r[0] != kitty.Placeholder {
		return 0, 0, 0, false
	}
	if len(r) != 3 || c.Style.Fg == nil {
		return 0, -1, -1, true
	}
	red, green, blue, _ := c.Style.Fg.RGBA()
	return int(red>>8<<16 | green>>8<<8 | blue>>8), slices.Index(marks, r[2]), slices.Index(marks, r[1]), true
}

// Pieces are the cells of a screen that show images: how many, and the first that shows a
// part that the image does not have, empty if there is none.
func Pieces(screen interface {
	Width() int
	Height() int
	CellAt(x, y int) *uv.Cell
}, k *Kitty) (n int, wrong string) {
	all, _ := k.Images()
	for y := range screen.Height() {
		for x := range screen.Width() {
			id, col, row, ok := Piece(screen.CellAt(x, y))
			if !ok {
				continue
			}
			n++
			if m := all[id]; wrong == "" && (col < 0 || row < 0 || col >= m.Cols || row >= m.Rows) {
				wrong = fmt.Sprintf("(%d, %d) shows column %d, row %d of image %d, which has %d×%d cells", x, y, col,
					row, id, m.Cols, m.Rows)
			}
		}
	}
	return n, wrong
}

// wholePieces is the length of b without a piece of an image at its end that may not have
// come as a whole: the emulator takes a character and its marks in one write only.
func wholePieces(b []byte) int {
	if i := bytes.LastIndex(b, []byte(string(kitty.Placeholder))); i >= 0 &&
		(utf8.RuneCount(b[i:]) <= 3 || !utf8.Valid(b[i:])) {
		return i
	}
	for i := max(len(b)-3, 0); i < len(b); i++ { // the start of a character
		if b[i] == 0xf4 {
			return i
		}
	}
	return len(b)
}

// marks are the marks of rows and columns.
var marks = func() (all []rune) {
	for i := range 297 {
		all = append(all, kitty.Diacritic(i))
	}
	return all
}()
