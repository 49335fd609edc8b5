package metrics

import "testing"

// checkCurve compares c with the points (i, -i), i < n, offered to it.
func checkCurve(t *testing.T, c *Curve, capacity, n int) {
	t.Helper()
	stride := 1
	for (n+stride-1)/stride > capacity {
		stride *= 2
	}
	if want := (n + stride - 1) / stride; c.Len() != want {
		t.Fatalf("capacity %d, %d offered: %d kept, want %d", capacity, n, c.Len(), want)
	}
	xs, ys := c.AppendTo(nil, nil)
	for i := range c.Len() {
		x, y := c.At(i)
		if x != float64(i*stride) || y != -x || xs[i] != x || ys[i] != y {
			t.Fatalf("capacity %d, %d offered: point %d is (%v, %v), want x %d", capacity, n, i, x, y, i*stride)
		}
	}
	x, y, ok := c.Last()
	if ok != (n > 0) || ok && (x != float64(n-1) || y != -x) {
		t.Fatalf("%d offered: last is (%v, %v, %v)", n, x, y, ok)
	}
}

func TestCurve(t *testing.T) {
	for capacity := 2; capacity < 12; capacity++ {
		c := NewCurve(capacity)
		for n := range 300 {
			checkCurve(t, c, capacity, n)
			c.Add(float64(n), -float64(n))
		}
		c.Reset()
		checkCurve(t, c, capacity, 0)
		c.Add(0, 0)
		checkCurve(t, c, capacity, 1)
	}
}

func TestCurveDoesNotAllocate(t *testing.T) {
	c := NewCurve(64)
	if n := testing.AllocsPerRun(1000, func() { c.Add(1, 2) }); n != 0 {
		t.Errorf("%v allocations a point", n)
	}
}

func FuzzCurve(f *testing.F) {
	f.Add(uint8(2), uint16(1))
	f.Add(uint8(7), uint16(1000))
	f.Fuzz(func(t *testing.T, capacity uint8, n uint16) {
		size := int(capacity)%100 + 2
		c := NewCurve(size)
		for i := range int(n) {
			c.Add(float64(i), -float64(i))
		}
		checkCurve(t, c, size, int(n))
	})
}
