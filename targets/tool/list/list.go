// Package list maps lists and writes them.
package list

import (
	"fmt"
	"slices"
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

// Sum adds f of each element, in order.
func Sum[T any, N int | uint64 | float64](all []T, f func(T) N) (sum N) {
	for _, x := range all {
		sum += f(x)
	}
	return sum
}

// Max is the greatest f of the elements, and 0 where none is greater.
func Max[T any, N int | uint64 | float64](all []T, f func(T) N) (most N) {
	for _, x := range all {
		most = max(most, f(x))
	}
	return most
}

// Count is how many elements are so.
func Count[T any](all []T, is func(T) bool) (n int) {
	for _, x := range all {
		if is(x) {
			n++
		}
	}
	return n
}

// Filter returns the elements that are so, in order, and nil for none.
func Filter[T any](all []T, is func(T) bool) (some []T) {
	for _, x := range all {
		if is(x) {
			some = append(some, x)
		}
	}
	return some
}

// Find returns the first element that is so. It reports whether there is one.
func Find[T any](all []T, is func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return found, false
}

// Flat joins the lists that f makes of the elements, in order. It is nil where all are empty.
func Flat[T, U any](all []T, f func(T) []U) (of []U) {
	for _, x := range all {
		of = append(of, f(x)...)
	}
	return of
}

// Distinct returns each element once, where it stands first, and nil for none.
func Distinct[T comparable](all []T) (once []T) {
	for _, x := range all {
		if !slices.Contains(once, x) {
			once = append(once, x)
		}
	}
	return once
}

// Upto are the numbers from 0 to n, without n.
func Upto(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
