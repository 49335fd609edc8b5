package sampler

import (
	"syscall"
	"unsafe"
)

// inLargePages asks the system for pages of 2 MB where x is long. New memory has them when it is
// first written. Kernels go down the columns of matrices, whose rows lie further apart than a small
// page, and the processor remembers where few pages are. Nothing depends on the answer.
func inLargePages[F Float](x []F) []F {
	const page = 2 << 20
	if len(x) == 0 {
		return x
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % page)
	if whole := (len(b) - skip) / page * page; whole > 0 {
		_ = syscall.Madvise(b[skip:skip+whole], syscall.MADV_HUGEPAGE)
	}
	return x
}
