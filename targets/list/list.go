// Package list maps lists.
package list

// Map returns f of each element, in order.
func Map[T, U any](all []T, f func(T) U) []U {
	of := make([]U, len(all))
	for i, x := range all {
		of[i] = f(x)
	}
	return of
}
