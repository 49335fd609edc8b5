//go:build !slow

package app

const slow = false
