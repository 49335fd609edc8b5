package sampler

import "github.com/psgld/psgld-tui/targets"

// ofDim is a target that is nothing but a dimension.
type ofDim[F Float] int

func (d ofDim[F]) Dim() int               { return int(d) }
func (ofDim[F]) N() int                   { return 1 }
func (ofDim[F]) Grad(_, _ []F, _ []int32) { panic("a target without a gradient") }

// only is the part of a Gradient that most kernels do without.
type only[F Float] struct{}

func (only[F]) Dropout([]F, targets.Keep) *Eval[F] { panic("no dropout here") }
func (only[F]) Target() targets.Target[F]          { panic("no target here") }
func (only[F]) Batch() []int32                     { return nil }

// langevins are the methods whose kernel is the Langevin step alone.
func langevins() []Method { return []Method{psgld, sgld} }
