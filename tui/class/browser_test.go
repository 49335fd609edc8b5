package class

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// A browser is Chromium with a page open.
type browser struct {
	t   testing.TB
	ctx context.Context
}

// chromium opens a page in a window without a screen.
func chromium(t testing.TB, url string, w, h int, flags ...chromedp.ExecAllocatorOption) browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("Chromium (Debian's chromium) is not here")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*ptytest.Patience) // what it waits for says more
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append([]chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(w, h),
		chromedp.WSURLReadTimeout(time.Minute),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
	}, flags...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := browser{t, ctx}
	b.run(chromedp.EmulateViewport(int64(w), int64(h)), chromedp.Navigate(url))
	return b
}

func (b browser) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// get is what an action gives.
func get[T any](b browser, a chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// types presses keys as a person does. chromedp.KeyEvent sends a character apart from its key, which
// the page's terminal then takes twice.
func (b browser) types(keys string) {
	b.t.Helper()
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			down, up := *events[0], *events[len(events)-1]
			if len(events) == 3 {
				down.Text = events[1].Text
			}
			for _, e := range []input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, e); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// screen is what the page's terminal shows, nothing before that is open.
func (b browser) screen() string {
	b.t.Helper()
	return get(b, chromedp.Evaluate[string](`(() => {
		let term;
		try { term = window.sipTerm.term; } catch { return ""; }
		const of = term.buffer.active, rows = [];
		for (let y = 0; y < term.rows; y++) rows.push(of.getLine(of.viewportY + y).translateToString(true));
		return rows.join("\n");
	})()`))
}

// sees waits until the terminal shows something.
func (b browser) sees(what string) {
	b.t.Helper()
	var text string
	wait(b.t, func() bool {
		text = b.screen()
		return strings.Contains(text, what)
	}, func() string { return "no " + what + " on\n" + text })
}

// shoots takes a picture, which go test -artifacts keeps, and tells how many of its pixels are
// drawn in each of 3×3 fields, in percent, and how many colours there are.
func (b browser) shoots(t *testing.T, name string) (drawn [3][3]float64, colours int) {
	t.Helper()
	shot := get(b, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), name+".png"), shot, 0o600); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	size, seen := img.Bounds().Size(), map[color.Color]int{}
	for y := range size.Y {
		for x := range size.X {
			c := img.At(x, y)
			seen[c]++
			if c != (color.RGBA{0x1e, 0x1e, 0x2e, 0xff}) { // the page's background
				drawn[3*y/size.Y][3*x/size.X] += 900 / float64(size.X*size.Y)
			}
		}
	}
	return drawn, len(seen)
}

// fills waits until the screen fills a window, but for less than a character.
func (b browser) fills(w, h float64) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(int64(w), int64(h)))
	var got []float64
	wait(b.t, func() bool {
		got = get(b, chromedp.Evaluate[[]float64](`(() => {
			const at = document.querySelector(".xterm-screen").getBoundingClientRect(), term = window.sipTerm.term;
			return [at.left, at.top, at.right, at.bottom, at.width / term.cols, at.height / term.rows];
		})()`))
		rows := strings.Split(b.screen(), "\n")
		top := slices.IndexFunc(rows, func(row string) bool { return strings.HasSuffix(row, "╮") })
		return top >= 0 && got[0] < 1 && got[1] < 1 && w-got[2] < got[4] && h-got[3] < got[5] && w >= got[2] && h >= got[3] &&
			// keys, or a notice
			len([]rune(rows[top])) >= int(got[2]/got[4])-1 &&
			strings.TrimSpace(rows[len(rows)-1]) != ""
	}, func() string { return fmt.Sprintf("%v of %g×%g\n%s", got, w, h, b.screen()) })
}

// A student with a browser sees the page, gives the code, turns ε, changes the window and leaves.
// The font is there, the screen fills the window, and the picture is drawn all over.
func TestChromium(t *testing.T) {
	innerlooptest.Skip(t, "a browser")
	t.Parallel()
	r := open(t, withWeb(t))
	c, _, err := browses(r, nil) // it listens by now
	if err != nil {
		t.Fatal(err)
	}
	c.CloseNow()
	b := chromium(t, "http://"+web(r), 1200, 800)
	b.sees("code:")
	b.types("abc-deg\r")
	b.sees(errWrong.Error())
	b.shoots(t, "asked")
	b.types(rightCode + "\r")
	b.sees("seed 2")
	if !get(b, chromedp.Evaluate[bool](`[...document.fonts].some(f => f.family.includes("JetBrainsMono") && f.status == "loaded")`)) {
		t.Error("the font is not there")
	}
	for _, size := range [][2]float64{{1200, 800}, {700, 900}} {
		b.fills(size[0], size[1])
		var drawn [3][3]float64
		var colours int
		wait(t, func() bool {
			drawn, colours = b.shoots(t, fmt.Sprintf("%gx%g", size[0], size[1]))
			least := drawn[0][0]
			for _, row := range drawn {
				least = min(least, slices.Min(row[:]))
			}
			// An empty field has at most a border, which is 1% of it.
			return least > 2 && colours > 50
		}, func() string { return fmt.Sprintf("drawn %.1f%%, %d colours", drawn, colours) })
	}
	eps := func() float64 { return r.Seats()[0].Snapshot().Lanes[1].Setting.Value(sampler.KeyEps) }
	before := eps()
	b.types(kb.ArrowRight)
	wait(t, func() bool { return eps() > before }, func() string { return "ε stays" })
	b.sees("0.378")
	b.types("qq")
	wait(t, func() bool {
		return get(b, chromedp.Evaluate[string](`document.getElementById("status-text").textContent`)) == "Session ended"
	}, func() string { return b.screen() })
	wait(t, func() bool { return len(r.Seats()) == 0 }, func() string { return "the seat is still taken" })
}
