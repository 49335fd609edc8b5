package targets

import (
	"path/filepath"

	"github.com/psgld/psgld-tui/targets/dataset"
)

// PicturePredictor is a Predictor of images that can be asked about any image of the same shape.
type PicturePredictor[F Float] interface {
	Predictor[F]
	Pictures
	// PredictPictures writes p(y = c | x_r, θ) to dst[r*C+c] for each image x_r of pixels, images one after another as
	// Picture returns them. It does not allocate. The bits do not depend on which images are beside one, and so are
	// those of Predict.
	PredictPictures(dst []float64, theta []F, pixels []uint8)
	// Multiplications is the number of multiplications for one image.
	Multiplications() int
}

var _ PicturePredictor[float32] = (*Classifier)(nil)

// PredictPictures implements PicturePredictor.
func (c *Classifier) PredictPictures(dst []float64, theta []float32, pixels []uint8) {
	ws := c.lock()
	defer c.mu.Unlock()
	c.net.Predict(ws, dst, theta, pixels)
}

// Multiplications implements PicturePredictor.
func (c *Classifier) Multiplications() int { return c.net.Multiplications() }

// A ForeignSet holds the test images of a data set other than a network's own, by class.
type ForeignSet struct {
	size   int
	pixels []uint8
	rows   [][]int32 // by class
}

// ForeignTo names another data set whose images have the shape and the classes of p's: the drawn digits or, for a
// network that has learnt those, MNIST if it is in the data folder. It is empty where there is none.
func ForeignTo(p *Problem, dataDir string) string {
	c, ok := p.Impl().(*Classifier)
	if !ok || c.images.Channels != 1 || c.images.Classes != 10 || c.images.Rows != 28 || c.images.Cols != 28 {
		return ""
	}
	switch {
	case p.Dataset != "strokes":
		return "strokes"
	case dataset.HasIDX(filepath.Join(dataDir, "mnist")):
		return "mnist"
	}
	return ""
}

// OpenForeign opens the set that ForeignTo names.
func OpenForeign(name, dataDir string) (*ForeignSet, error) {
	set, err := openDataset(Options{DataDir: dataDir, Dataset: name})
	if err != nil {
		return nil, err
	}
	m := set.images
	f := &ForeignSet{size: m.Pixels(), pixels: m.TestX, rows: make([][]int32, m.Classes)}
	for i, y := range m.TestY {
		f.rows[y] = append(f.rows[y], int32(i))
	}
	return f, nil
}

// Picture returns an image of a class: the k-th, counted around. It is nil for a class without images.
func (f *ForeignSet) Picture(class, k int) []uint8 {
	if class < 0 || class >= len(f.rows) || len(f.rows[class]) == 0 {
		return nil
	}
	rows := f.rows[class]
	return f.pixels[int(rows[k%len(rows)])*f.size:][:f.size:f.size]
}
