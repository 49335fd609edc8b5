//go:build !slow

package lesson

const slow = false
