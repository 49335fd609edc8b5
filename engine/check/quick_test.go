//go:build !slow

package check

const slow = false
