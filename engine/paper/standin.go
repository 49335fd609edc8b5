package paper

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine/study"
)

// standsIn is the finding on what was sampled in the place of data.
func StandsIn(spec, wanted string) []string {
	if spec == wanted {
		return nil
	}
	return []string{fmt.Sprintf("The data of %s were not found: these are numbers of %s in their place, which the paper's are not to be compared with.", wanted, spec)}
}

// inPlace is what a figure's title says of the data, "" where they are the paper's.
func InPlace(spec, wanted string) string {
	if spec == wanted {
		return ""
	}
	return ", with " + spec + " in the data's place"
}

// specIn is which of two targets outcomes are of: reports are made of what was
// run, wherever the data are.
func SpecIn(outcomes map[string]study.Outcome, spec, instead string) string {
	for id := range outcomes {
		if strings.HasPrefix(id, spec+" ") {
			return spec
		}
	}
	for id := range outcomes {
		if strings.HasPrefix(id, instead+" ") {
			return instead
		}
	}
	return spec
}
