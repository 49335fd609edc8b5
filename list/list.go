// Package list makes lists of lists.
package list

// Map is f of each element.
func Map[T, U any](all []T, f func(T) U) []U {
	of := make([]U, len(all))
	for i, x := range all {
		of[i] = f(x)
	}
	return of
}
