package targets

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

var cnnFamily = Family{
	Name:   "cnn",
	Images: true,
	Usage:  "cnn[:SIZE-SIZE-…|stochpool|nin|maxout[;init=he|authors][;divisor=126]]",
	Doc: "convolutional network of the paper on images: 5×5 convolutions to 32 and 64 channels, on colours " +
		"to 32, 32 and 64, with \"same\" padding, each pooled 2×2, and dense layers of these sizes, else 200-200; " +
		"stochpool is that with stochastic pooling, nin network in network and maxout a convolutional maxout " +
		"network, the last two made smaller and meant for dropout",
	Examples: []string{"cnn", "cnn:500", "cnn:stochpool", "cnn:nin", "cnn:maxout"},
	reaches:  always,
	open:     openCNN,
}

func openCNN(args string, o Options) (*Problem, error) {
	if p, ok, err := openCNNKind(args, o); ok {
		return p, err
	}
	standard := []int{200, 200}
	n, err := parseNetwork("cnn", args, standard)
	if err != nil {
		return nil, err
	}
	if n.settings == "" && joined(n.hidden) == joined(standard) {
		n.spec = "cnn"
	}
	// Table 3: ε = 1e-3 for pSGLD and 1e-1 for SGLD, read as h; SGLD is better at half of that from these starts.
	return n.problem(o, 1e-3, 5e-2,
		func(m *dataset.Images) string {
			return fmt.Sprintf("CNN %s, %s", joined(channels(m)), joined(n.hidden))
		},
		func(in nets.Input, m *dataset.Images) (*nets.Network, error) {
			return nets.CNN(in, channels(m), n.hidden, m.Classes)
		})
}

// channels are those of the convolutions: of section 5.3 for one colour, of the supplement's figure 4 for several.
func channels(m *dataset.Images) []int {
	if m.Channels > 1 {
		return []int{32, 32, 64}
	}
	return []int{32, 64}
}

// A cnnKind is another convolutional network of table 3, by the name that stands in
// place of sizes. Its sizes are fixed.
type cnnKind struct {
	name, title string
	lr, plainLR float64
	build       func(in nets.Input, m *dataset.Images) (*nets.Network, error)
}

// cnnKinds are the networks that the paper compares its own with. All pool 2×2 squares, where the cited networks pool
// overlapping squares of 3×3 and 4×4. Step sizes come from some hundred steps on MNIST with half the hidden units
// dropped. By plain gradients nin learns with 0.05 and 0.1 and dies at 0.3; maxout learns with 0.02 and diverges at
// 0.05. RMSprop learns all with 1e-3.
func cnnKinds() []cnnKind {
	return []cnnKind{
		// The paper's own network with the pooling of Zeiler and Fergus.
		{"stochpool", "stochastic pooling", 1e-3, 5e-2, func(in nets.Input, m *dataset.Images) (*nets.Network, error) {
			return nets.StochasticCNN(in, channels(m), []int{200, 200}, m.Classes)
		}},
		// A third of the channels that Lin et al. have for CIFAR-10 in their released
		// code, 192-160-96, 192-192-192 and 192-192; for MNIST they say that there are fewer.
		{"nin", "network in network", 1e-3, 5e-2, func(in nets.Input, m *dataset.Images) (*nets.Network, error) {
			return nets.NIN(in, [3][3]int{{64, 48, 32}, {64, 64, 64}, {64, 64}}, m.Classes)
		}},
		// Two thirds of the units that Goodfellow et al. have for MNIST in their released code, 48, 48 and 24 of 2, 2
		// and 4 pieces, with kernels of 5×5 and not 8×8, 8×8 and 5×5.
		{"maxout", "maxout", 1e-3, 1e-2, func(in nets.Input, m *dataset.Images) (*nets.Network, error) {
			return nets.MaxoutCNN(in, []int{32, 32, 16}, []int{2, 2, 4}, m.Classes)
		}},
	}
}

// openCNNKind opens the network of a kind, if the settings begin with a name.
func openCNNKind(args string, o Options) (p *Problem, ok bool, err error) {
	name, settings, _ := strings.Cut(args, ";")
	name = strings.TrimSpace(name)
	if name == "" || !strings.ContainsAny(name[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return nil, false, nil
	}
	kinds := cnnKinds()
	k, ok := list.Find(kinds, func(k cnnKind) bool { return k.name == name })
	if !ok {
		names := list.Map(kinds, func(k cnnKind) string { return k.name })
		return nil, true, misuse("cnn: %w", list.Unknown("network", name, append([]string{"SIZE-SIZE-…"}, names...)))
	}
	n, err := parseNetwork("cnn:"+name, ";"+settings, nil)
	if err != nil {
		return nil, true, err
	}
	n.spec = "cnn:" + name
	p, err = n.problem(o, k.lr, k.plainLR, func(*dataset.Images) string { return "CNN " + k.title }, k.build)
	return p, true, err
}
