package targets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/targets/dataset"
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
