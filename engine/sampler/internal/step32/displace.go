package step32

// A Displacer names the update of an optimiser that has assembly. Package optimiser
// defines each to the bit, by a method "displace".
type Displacer uint8

// The displacers with assembly; 0 is none.
const (
	_ Displacer = iota
	HeavyBall
	RMSHeavyBall
	Adagrad
	Adadelta
	Adam
	Whitening
)

// Numbers are what a displacer's assembly reads, each eight times: N, 1/σ² and up to seven of its own.
type Numbers [9][8]float32

// A Block is a range of coordinates with the vectors of an optimiser's step.
type Block[F ~float32 | ~float64] struct {
	Theta, Mean, V, Second []F
	Own                    []F // of State.Own[0], or scratch in its place; nil without
	Gain                   []F // where a displacer writes G that has it nowhere else; else nil
}

// Skip leaves out the first n coordinates.
func (c *Block[F]) Skip(n int) {
	for _, x := range [...]*[]F{&c.Theta, &c.Mean, &c.V, &c.Second, &c.Own, &c.Gain} {
		if *x != nil {
			*x = (*x)[n:]
		}
	}
}
