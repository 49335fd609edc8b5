package paper

// A planeRow is a method of the simulations on Gaussians in the plane.
type Method struct {
	Name    string // as figures call it
	Sampler string
	Values  Values
}

var (
	SGLD       = Method{Name: "SGLD", Sampler: "sgld"}
	PSGLD      = Method{Name: "pSGLD", Sampler: "psgld"}
	PSGLDGamma = Method{Name: "pSGLD + Γ", Sampler: "psgld", Values: Values{"gamma": 1}}
)

// asStep reads the text's ε as h and keeps its T = 1.
const AsStep = "ε as h"
