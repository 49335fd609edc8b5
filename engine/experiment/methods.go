package experiment

// A planeRow is a method of the simulations on Gaussians in the plane.
type planeRow struct {
	name    string // as figures call it
	sampler string
	values  set
}

var (
	planeSGLD  = planeRow{name: "SGLD", sampler: "sgld"}
	planePSGLD = planeRow{name: "pSGLD", sampler: "psgld"}
	planeGamma = planeRow{name: "pSGLD + Γ", sampler: "psgld", values: set{"gamma": 1}}
)

// asStep reads the text's ε as h and keeps its T = 1.
const asStep = "ε as h"
