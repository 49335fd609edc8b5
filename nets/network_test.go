package nets

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPaperSizes(t *testing.T) {
	mnist := Input{Shape{28, 28, 1}, PixelDivisor}
	for _, c := range []struct {
		n    *Network
		want int
	}{
		{must(MLP(mnist, []int{400, 400}, 10)), 784*400 + 400 + 400*400 + 400 + 4010},
		{must(MLP(mnist, []int{1200, 1200}, 10)), 2_395_210},
		{must(CNN(mnist, []int{32, 64}, []int{200, 200}, 10)),
			25*32 + 32 + 25*32*64 + 64 + 3136*200 + 200 + 200*200 + 200 + 2010},
		{must(CNN(mnist, []int{32, 64}, []int{500}, 10)), 832 + 51_264 + 3136*500 + 500 + 5010},
		{must(CNN(Input{Shape{32, 32, 3}, PixelDivisor}, []int{32, 32, 64}, []int{200, 200}, 10)),
			75*32 + 32 + 800*32 + 32 + 800*64 + 64 + 1024*200 + 200 + 40_200 + 2010},
	} {
		if c.n.Dim() != c.want {
			t.Errorf("%d parameters, want %d", c.n.Dim(), c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	n := must(CNN(Input{Shape{28, 28, 1}, PixelDivisor}, []int{32, 64}, []int{200}, 10))
	var names []string
	at := 0
	for _, b := range n.Blocks() {
		names = append(names, b.Name)
		if b.From != at || b.To-b.From != b.Rows*b.Cols {
			t.Errorf("block %+v, want it to start at %d", b, at)
		}
		at = b.To
	}
	want := []string{"conv1", "conv1 bias", "conv2", "conv2 bias", "dense1", "dense1 bias", "dense2", "dense2 bias"}
	if !slices.Equal(names, want) || at != n.Dim() {
		t.Errorf("blocks %q up to %d of %d", names, at, n.Dim())
	}
	if b := n.Blocks()[2]; b.FanIn != 800 || b.FanOut != 1600 || b.Rows != 800 || b.Cols != 64 {
		t.Errorf("%+v", b)
	}
}

func TestNewErrors(t *testing.T) {
	in := Input{Shape{4, 6, 1}, PixelDivisor}
	for _, c := range []struct {
		in     Input
		layers []Layer
		want   string
	}{
		{in, []Layer{Dense{3}, BiasReLU{}, Dense{0}}, "layer 3: a dense layer of 0 units, want at least 1"},
		{in, []Layer{Conv{2, 3}}, "layer 1: a convolution with squares of side 2, want an odd side"},
		{in, []Layer{Conv{3, 0}}, "layer 1: a convolution to 0 channels, want at least 1"},
		{in, []Layer{MaxPool{}, MaxPool{}, MaxPool{}}, "layer 3: images of 1×1 cannot be pooled 2×2"},
		{in, nil, "a network without parameters"},
		{in, []Layer{Dense{257}}, "a network of 257 classes, want at most 256"},
		{in, []Layer{Dense{6}, Maxout{0}}, "layer 2: maxima over 0 pieces, want 1 to 256"},
		{in, []Layer{Dense{6}, Maxout{4}}, "layer 2: 6 channels in 4 pieces, want a multiple"},
		{in, []Layer{Conv{3, 2}, StochasticPool{}, StochasticPool{}, StochasticPool{}},
			"layer 4: images of 1×1 cannot be pooled 2×2"},
		{Input{Shape{4, 0, 1}, 1}, []Layer{Dense{2}}, "images of 4×0×1 divided by 1"},
		{Input{Shape{4, 1, 1}, 0}, []Layer{Dense{2}}, "images of 4×1×1 divided by 0"},
		{in, []Layer{Dense{1e9}, Dense{1e9}, Dense{1e9}, Dense{10}},
			"2000000034000000000 parameters, want at most 2147483647"},
	} {
		if n, err := New(c.in, c.layers...); err == nil || err.Error() != c.want || n != nil {
			t.Errorf("%v: %v\nwant %s", c.layers, err, c.want)
		}
	}
	var size *SizeError
	_, err := MLP(Input{Shape{28, 28, 1}, 1}, []int{1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9}, 10)
	if !errors.As(err, &size) || size.Parameters.String() != "11000000806000000010" {
		t.Errorf("%v", err)
	}
}

// Both rules have mean 0; He's variance is 2/in, that of U(±r) is r²/3. The
// variance of 784·400 weights has a relative standard error of √(2/313600) =
// 0.25%, and less for the uniform ones.
func TestStart(t *testing.T) {
	n := must(MLP(Input{Shape{28, 28, 1}, PixelDivisor}, []int{400, 400}, 10))
	z, theta := make([]float64, n.Dim()), make([]float64, n.Dim())
	r := rand.New(rand.NewPCG(7, 7))
	for i := range z {
		z[i] = r.NormFloat64()
	}
	for _, rule := range []Start{He, Authors} {
		n.Start(theta, z, rule)
		for _, b := range n.Blocks() {
			mean, square, most := 0.0, 0.0, 0.0
			for _, x := range theta[b.From:b.To] {
				mean, square, most = mean+x, square+x*x, max(most, math.Abs(x))
			}
			count := float64(b.To - b.From)
			mean, square = mean/count, square/count
			want, bound := 2/float64(b.FanIn), math.Inf(1)
			if rule == Authors {
				bound = math.Sqrt(6 / float64(b.FanIn+b.FanOut+1))
				want = bound * bound / 3
			}
			if b.FanIn == 0 {
				if most != 0 {
					t.Errorf("rule %d: %s starts at %v", rule, b.Name, most)
				}
				continue
			}
			if math.Abs(mean) > 4*math.Sqrt(want/count) || math.Abs(square/want-1) > 4*math.Sqrt(2/count) ||
				most > bound {
				t.Errorf("rule %d: %s has mean %v, variance %v and at most %v, want 0, %v, %v",
					rule, b.Name, mean, square, most, want, bound)
			}
		}
	}
}
