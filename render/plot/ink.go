package plot

import "pview/render/raster"

// Ink is the colour of a layer: the first six are those of Okabe and Ito, that colour-blind people tell apart too.
type Ink uint8

// The inks.
const (
	Blue Ink = iota
	Vermilion
	Green
	Orange
	Purple
	Sky
	Yellow
	Brown
	Teal
	Rose
	Olive
	Violet
	Grey
	Strong // stands out against all others
)

// InkOf returns the ink of the i-th of several layers.
func InkOf(i int) Ink { return Ink(i % int(Grey)) }

// inks have a colour for a dark background, one for a light one, and the sign of a point where there are no colours.
var inks = [...]struct {
	dark, light raster.Color
	sign        rune
}{
	Blue:      {raster.RGB(86, 160, 233), raster.RGB(0, 114, 178), '*'},
	Vermilion: {raster.RGB(232, 118, 50), raster.RGB(213, 94, 0), 'o'},
	Green:     {raster.RGB(40, 184, 135), raster.RGB(0, 140, 100), '+'},
	Orange:    {raster.RGB(240, 178, 50), raster.RGB(196, 130, 0), 'x'},
	Purple:    {raster.RGB(214, 140, 186), raster.RGB(190, 90, 150), '#'},
	Sky:       {raster.RGB(130, 205, 245), raster.RGB(60, 150, 205), '%'},
	Yellow:    {raster.RGB(240, 228, 66), raster.RGB(170, 155, 0), '='},
	Brown:     {raster.RGB(176, 112, 76), raster.RGB(128, 70, 40), '&'},
	Teal:      {raster.RGB(0, 150, 150), raster.RGB(0, 110, 115), '~'},
	Rose:      {raster.RGB(240, 100, 120), raster.RGB(200, 40, 80), '^'},
	Olive:     {raster.RGB(150, 160, 60), raster.RGB(105, 115, 20), 's'},
	Violet:    {raster.RGB(150, 120, 230), raster.RGB(100, 70, 180), 'v'},
	Grey:      {raster.RGB(128, 132, 142), raster.RGB(120, 124, 130), '.'},
	Strong:    {raster.RGB(255, 255, 255), raster.RGB(0, 0, 0), '@'},
}

// Color is the ink on a background.
func (k Ink) Color(dark bool) raster.Color {
	if dark {
		return inks[k].dark
	}
	return inks[k].light
}
