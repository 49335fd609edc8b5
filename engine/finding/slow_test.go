//go:build slow

package finding_test

import "testing"

func TestPlantedSlow(t *testing.T) { audit(t, 50, 300) }
