package pane

import "github.com/psgld/psgld-tui/engine"

// inPercent ends the titles of charts of shares, which tables give in percent too.
const inPercent = " in %"

// Quantities of a point of a lane's history.
func CovError(p *engine.Point) float64 { return p.CovError }

func MeanError(p *engine.Point) float64 { return p.MeanError }

func TestError(p *engine.Point) float64 { return 100 * p.TestError }

func TrainError(p *engine.Point) float64 { return 100 * p.TrainError }

func LogPost(p *engine.Point) float64 { return p.LogPost }

func Newest(p *engine.Point) float64 { return 100 * p.Newest }

func TestNLL(p *engine.Point) float64 { return p.TestNLL }

func NewestNLL(p *engine.Point) float64 { return p.NewestNLL }

func TestBrier(p *engine.Point) float64 { return p.TestBrier }

func TestECE(p *engine.Point) float64 { return p.TestECE }

func Temperature(p *engine.Point) float64 { return p.Temp }

func Drift(p *engine.Point) float64 { return p.Drift }

func Noise(p *engine.Point) float64 { return p.Noise }

func GainMin(p *engine.Point) float64 { return p.GMin }

func GainMax(p *engine.Point) float64 { return p.GMax }

func loss(p *engine.Point) float64 { return p.Loss }

func elbo(p *engine.Point) float64 { return p.ELBO }
