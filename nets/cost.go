package nets

// Multiplications is how many multiplications a forward pass over one example
// takes, for who has to bound its work: each parameter once for every place at
// which its layer uses it.
func (n *Network) Multiplications() int {
	sum := 0
	for _, l := range n.layers {
		sum += (l.to - l.from) * l.out.Height * l.out.Width
	}
	return sum
}
