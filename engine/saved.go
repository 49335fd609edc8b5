package engine

import "github.com/psgld/psgld-tui/engine/state"

// Saved is what can be written of a session: its recording, its result and the newest draws of each chain.
type Saved struct {
	Recording Recording
	Result    Result
	Draws     []Draws
}

// Draws are the newest kept draws of a chain, oldest first.
type Draws struct {
	ChainID
	Sampler string
	Names   []string
	Columns [][]float64 // one a name
	Of      uint64      // how many draws the chain has kept in all
}

// Rows is how many draws the columns have.
func (d *Draws) Rows() int {
	if len(d.Columns) == 0 {
		return 0
	}
	return len(d.Columns[0])
}

// A ChainID says which chain of which lane is meant, both numbered from 0. The lane has Chains of them.
type ChainID struct{ Lane, Chain, Chains int }

// Save sends what can be written of the session as it stands. Nothing is sent if the channel has no room.
type Save struct {
	state.Own
	Version string
	To      chan<- Saved
}
