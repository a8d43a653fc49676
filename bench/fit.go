package bench

import "math"

// Point is one figure of a curve.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// exponent is the b of the y = a·x^b that fits the points best: the slope of the least-squares line through their
// logarithms. Points that are not positive are left out; with fewer than two different x there is none.
func exponent(points []Point) (b float64, ok bool) {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		if p.X <= 0 || p.Y <= 0 {
			continue
		}
		x, y := math.Log(p.X), math.Log(p.Y)
		n++
		sx += x
		sy += y
		sxx += x * x
		sxy += x * y
	}
	d := n*sxx - sx*sx
	if n < 2 || d < 1e-9 {
		return 0, false
	}
	return (n*sxy - sx*sy) / d, true
}
