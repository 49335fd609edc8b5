package network

import (
	_ "embed"

	"github.com/pelletier/go-toml/v2"
)

// The names of the rows that remarks compare.
const (
	rowPSGLD100  = "pSGLD (σ² = 100)"
	rowPSGLD1    = "pSGLD (σ² = 1)"
	rowDistilled = "distilled pSGLD"
	rowPSGLD     = "pSGLD"
	rowSGLD      = "SGLD"
	rowRMSprop   = "RMSprop"
	rowSGD       = "SGD"
)

//go:embed tables.toml
var tablesFile []byte

func tableIn(name string) func() *table {
	return func() *table {
		var all map[string]*table
		if err := toml.Unmarshal(tablesFile, &all); err != nil {
			panic(err) // it is part of the program
		}
		return all[name]
	}
}
