// Package list maps lists and writes them.
package list

import (
	"fmt"
	"strings"
)

// Map returns f of each element, in order.
func Map[T, U any](all []T, f func(T) U) []U {
	of := make([]U, len(all))
	for i, x := range all {
		of[i] = f(x)
	}
	return of
}

// Some joins texts with commas: the first few, and how many more there are.
func Some(all []string, few int) string {
	if more := len(all) - few; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:few], ", "), more)
	}
	return strings.Join(all, ", ")
}
