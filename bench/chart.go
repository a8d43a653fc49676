package bench

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// chart is a picture of curves on logarithmic axes.
type chart struct {
	title  string
	x, y   string // axis labels
	q      quantity
	series []series
}

// series is one line of a chart. Lines of one machine share dash and marker, lines of one rank a colour.
type series struct {
	label  string
	rank   int
	dashed bool
	points []Point
}

// The geometry of a chart, in pixels.
const (
	chartWidth, chartHeight = 800, 460
	plotLeft, plotRight     = 80, 550
	plotTop, plotBottom     = 44, 400
)

// palette is dark enough for white paper.
var palette = []string{"#1b6ca8", "#c8553d", "#4b8b3b", "#7a4fa3", "#a07d1c", "#2a2a2a"}

// write draws the chart as SVG.
func (c *chart) write(w io.Writer) error {
	x, y := c.scales()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="15">%s</text>`+"\n", plotLeft, html.EscapeString(c.title))
	c.grid(&b, x, y)
	for i, s := range c.series {
		s.draw(&b, x, y, i)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// axis maps a range of positive numbers to pixels, logarithmically.
type axis struct {
	low, high float64 // of the logarithms
	from, to  float64 // pixels
}

func (a axis) at(v float64) float64 {
	return a.from + (a.to-a.from)*(math.Log(v)-a.low)/(a.high-a.low)
}

// scales fits the axes to the points: the horizontal one to powers of two, the vertical one to powers of ten.
func (c *chart) scales() (x, y axis) {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range c.series {
		for _, p := range s.points {
			lowX, highX = min(lowX, p.X), max(highX, p.X)
			lowY, highY = min(lowY, p.Y), max(highY, p.Y)
		}
	}
	x = axis{low: math.Log(lowX), high: math.Log(highX), from: plotLeft, to: plotRight}
	if x.high == x.low {
		x.high++
	}
	step := c.step()
	y = axis{from: plotBottom, to: plotTop}
	y.low = math.Floor(math.Log(lowY)/math.Log(step)) * math.Log(step)
	y.high = max(math.Ceil(math.Log(highY)/math.Log(step))*math.Log(step), y.low+math.Log(step))
	return x, y
}

// step is the ratio of neighbouring ticks of the vertical axis: bytes read better in powers of two.
func (c *chart) step() float64 {
	if c.q == byteCount {
		return 4
	}
	return 10
}

// grid draws the frame, a vertical line at each value that is measured, and a horizontal one at each tick.
func (c *chart) grid(b *strings.Builder, x, y axis) {
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#888"/>`+"\n",
		plotLeft, plotTop, plotRight-plotLeft, plotBottom-plotTop)
	for _, v := range c.xs() {
		at := x.at(v)
		fmt.Fprintf(b, `<path d="M%.1f %dV%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n",
			at, plotTop, plotBottom, at, plotBottom+18, tick(v))
	}
	step := math.Log(c.step())
	for l := y.low; l <= y.high+1e-9; l += step {
		v := math.Exp(l)
		at := y.at(v)
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			plotLeft, at, plotRight, plotLeft-8, at+4, c.q.format(v*(1+1e-9)))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n",
		(plotLeft+plotRight)/2, plotBottom+42, html.EscapeString(c.x))
	fmt.Fprintf(b, `<text transform="translate(20 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		(plotTop+plotBottom)/2, html.EscapeString(c.y))
}

// xs are the values of the horizontal axis that any series has, in order.
func (c *chart) xs() []float64 {
	var all []Point
	for _, s := range c.series {
		all = append(all, s.points...)
	}
	return sortedXs(all)
}

// draw draws a series with its markers and its line in the legend.
func (s *series) draw(b *strings.Builder, x, y axis, i int) {
	colour := palette[s.rank%len(palette)]
	dash, fill := "", colour
	if s.dashed {
		dash, fill = ` stroke-dasharray="6 4"`, "white"
	}
	var path strings.Builder
	for j, p := range s.points {
		verb := "L"
		if j == 0 {
			verb = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", verb, x.at(p.X), y.at(p.Y))
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"%s/>`+"\n", path.String(), colour, dash)
	for _, p := range s.points {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s" stroke="%s"/>`+"\n", x.at(p.X), y.at(p.Y), fill, colour)
	}
	top := plotTop + 10 + 20*i
	fmt.Fprintf(b, `<path d="M%d %dH%d" stroke="%s" stroke-width="2"%s/><text x="%d" y="%d">%s</text>`+"\n",
		plotRight+14, top, plotRight+42, colour, dash, plotRight+48, top+4, html.EscapeString(s.label))
}
