package nets

// Multiplications is the number of multiplications of a forward pass over one example:
// each parameter once for every place at which its layer uses it.
func (n *Network) Multiplications() int {
	sum := 0
	for _, l := range n.layers {
		sum += (l.to - l.from) * l.out.Height * l.out.Width
	}
	return sum
}
