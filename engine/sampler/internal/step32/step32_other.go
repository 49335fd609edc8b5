//go:build !(amd64 || arm64) || noasm

package step32

// There is no assembly, and no path that asks for it.

func displace(_ bool, _ Displacer, _, _, _, _, _, _ *float32, _ int, _, _ *float32)         {}
func langevinGroups(_ bool, _, _, _, _ *float32, _ int, _, _ *float32, _ *uint32, _ uint32) {}
func momentumGroups(_ bool, _, _, _ *float32, _ int, _, _ *float32, _ *uint32, _ uint32)    {}
func meanFieldGroups(_, _ bool, _, _, _, _, _, _, _ *float32, _ int, _, _ *float32)         {}
func drawGroups(_ bool, _, _, _, _ *float32, _ int)                                         {}
