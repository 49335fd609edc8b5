package targets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

var mlpFamily = Family{
	Name:   "mlp",
	Images: true,
	Usage:  "mlp:SIZE-SIZE-…[;init=he|authors][;divisor=126]",
	Doc: "multilayer perceptron on images with rectifiers and hidden layers of these sizes; " +
		"pixels are divided by 126, as by the paper's authors",
	Examples: []string{"mlp:400-400", "mlp:800-800", "mlp:1200-1200"},
	reaches:  always,
	open:     openMLP,
}

func openMLP(args string, o Options) (*Problem, error) {
	n, err := parseNetwork("mlp", args, []int{400, 400})
	if err != nil {
		return nil, err
	}
	// Table 2: ε = 5e-4 for pSGLD and 5e-1 for SGLD, read as h. The latter
	// diverges from either start on pixels up to 2.02; 1e-1 does not.
	p, err := n.problem(o, 5e-4, 1e-1,
		func(m *dataset.Images) string {
			return fmt.Sprintf("MLP %d-%s-%d", m.Pixels(), joined(n.hidden), m.Classes)
		},
		func(in nets.Input, m *dataset.Images) (*nets.Network, error) {
			return nets.MLP(in, n.hidden, m.Classes)
		})
	// A photograph has four times the numbers of a digit, few of which are 0, and so larger gradients: on CIFAR-10 SGLD
	// dies at 1e-1, where 600 steps at 2e-2 come to 59% with 400-400 and to 73% with 50.
	if err == nil && p.F32.(*Classifier).images.Channels > 1 {
		p.Defaults.PlainLR = 2e-2
	}
	return p, err
}
