//go:build !slow

package program

const slow = false
