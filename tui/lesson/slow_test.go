//go:build slow

package lesson

const slow = true
