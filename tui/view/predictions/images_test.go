package predictions

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Every prediction is on one page, and a page holds as many as its size says.
func TestPages(t *testing.T) {
	innerlooptest.Skip(t, "every size")
	f := viewtest.Frame(scenetest.Of("mlp"))
	n := len(f.Snap.Predictions)
	for _, size := range viewtest.Sizes {
		v := New()
		page := PageSize(size[0], size[1], &f)
		if page < 1 {
			t.Fatalf("%v has no page", size)
		}
		for _, at := range []int{-5, 0, page - 1, page, n - 1, n + 100} {
			f.Image = at
			first := min(max(at, 0)/page, (n-1)/page) * page
			if first%page != 0 || first >= n || at >= 0 && at < n && (at < first || at >= first+page) {
				t.Errorf("prediction %d of %d is on the page of %d from %d", at, n, page, first)
			}
		}
		f.Image = 0
		if got := strings.Count(viewtest.Picture(f, v, size[0], size[1]), "╭ label"); got != min(page, n) {
			t.Errorf("%d cards at %v, want %d", got, size, page)
		}
	}
	for _, scene := range []string{"gaussian", "blr"} {
		if PageSize(viewtest.W, viewtest.H, new(viewtest.Frame(scenetest.Of(scene)))) != 0 {
			t.Errorf("%s has pages of images", scene)
		}
	}
}

// coloured are a network's images in colours, of classes with names.
type coloured struct{ *targets.Classifier }

func (c coloured) PictureSize() (rows, cols, channels int) {
	rows, cols, _ = c.Classifier.PictureSize()
	return rows, cols, 3
}

func (c coloured) Picture(s dataset.Split, r int) (rgb []uint8) {
	for _, x := range c.Classifier.Picture(s, r) {
		rgb = append(rgb, 255-x, x, x/2)
	}
	return rgb
}

func (c coloured) ClassNames() []string {
	return []string{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}
}

// Classes with names are called by them, which are cut where a lane's bars need the room.
func TestNamedClasses(t *testing.T) {
	innerlooptest.Skip(t, "it learns")
	s := *scenetest.Of("mlp")
	p := *s.Problem
	p.F32 = coloured{p.F32.(*targets.Classifier)}
	s.Problem = &p
	f := viewtest.Frame(&s)
	for _, size := range [][2]int{{60, 17}, {80, 20}, {120, 32}} {
		viewtest.Golden(t, "named", f, New(), size[0], size[1])
	}
	f.Theme = theme.New(true, true, true)
	viewtest.Golden(t, "named-ascii", f, New(), 60, 17)
	for _, size := range [][2]int{{28, 9}, {200, 56}, {300, 100}} {
		viewtest.Check(t, f, New(), size[0], size[1])
	}
}

// Predictions that hold anything but what they should are drawn all the same.
func TestOddPredictions(t *testing.T) {
	base := scenetest.Of("mlp")
	nan := math.NaN()
	for _, p := range []predict.Prediction{
		{Row: -1, Label: -3},
		{Row: 1 << 40, Label: 1 << 40, Disagreement: nan, Lanes: make([]predict.LanePrediction, 9)},
		{Row: 0, Label: 99, Lanes: []predict.LanePrediction{{Mean: []float64{nan, math.Inf(1), -1, 7}},
			{SD: []float64{1}}}},
		{Row: 1, Label: 2, Lanes: []predict.LanePrediction{{Mean: make([]float64, 300),
			SD: []float64{nan, -1, math.Inf(1)}}}},
	} {
		s := *base
		s.Predictions = []predict.Prediction{p, p}
		for _, size := range viewtest.Sizes {
			viewtest.Check(t, viewtest.Frame(&s), New(), size[0], size[1])
		}
		s.Problem = scenetest.Of("blr").Problem
		viewtest.Check(t, viewtest.Frame(&s), New(), viewtest.W, viewtest.H)
	}
	if _, ok := base.Problem.Impl().(targets.Pictures); !ok {
		t.Fatal("the scene has no pictures")
	}
}

// Where only one image has room it is the one that was asked for.
func TestSmallScreensBrowseImages(t *testing.T) {
	for _, size := range [][2]int{{60, 14}, {40, 17}, {200, 9}} {
		seen := map[string]bool{}
		for i := range 3 {
			f := viewtest.Frame(scenetest.Of("mlp"))
			f.Image = i
			v := New()
			if n := PageSize(size[0], size[1], &f); n > 1 {
				t.Fatalf("%v: %d images a page", size, n)
			}
			seen[viewtest.Picture(f, v, size[0], size[1])] = true
		}
		if len(seen) != 3 {
			t.Errorf("%v: %d pictures of 3 images", size, len(seen))
		}
	}
}
