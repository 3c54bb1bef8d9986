package plot

import (
	"pview/insight/report/figure"
	"pview/render/raster"
)

// inks have a colour for a dark background, one for a light one, and the sign of a point where there are no colours.
var inks = [...]struct {
	dark, light raster.Color
	sign        rune
}{
	figure.Blue:      {raster.RGB(86, 160, 233), raster.RGB(0, 114, 178), '*'},
	figure.Vermilion: {raster.RGB(232, 118, 50), raster.RGB(213, 94, 0), 'o'},
	figure.Green:     {raster.RGB(40, 184, 135), raster.RGB(0, 140, 100), '+'},
	figure.Orange:    {raster.RGB(240, 178, 50), raster.RGB(196, 130, 0), 'x'},
	figure.Purple:    {raster.RGB(214, 140, 186), raster.RGB(190, 90, 150), '#'},
	figure.Sky:       {raster.RGB(130, 205, 245), raster.RGB(60, 150, 205), '%'},
	figure.Yellow:    {raster.RGB(240, 228, 66), raster.RGB(170, 155, 0), '='},
	figure.Brown:     {raster.RGB(176, 112, 76), raster.RGB(128, 70, 40), '&'},
	figure.Teal:      {raster.RGB(0, 150, 150), raster.RGB(0, 110, 115), '~'},
	figure.Rose:      {raster.RGB(240, 100, 120), raster.RGB(200, 40, 80), '^'},
	figure.Olive:     {raster.RGB(150, 160, 60), raster.RGB(105, 115, 20), 's'},
	figure.Violet:    {raster.RGB(150, 120, 230), raster.RGB(100, 70, 180), 'v'},
	figure.Grey:      {raster.RGB(128, 132, 142), raster.RGB(120, 124, 130), '.'},
	figure.Strong:    {raster.RGB(255, 255, 255), raster.RGB(0, 0, 0), '@'},
}

// Color returns the colour of an ink on a dark or a light background.
func Color(k figure.Ink, dark bool) raster.Color {
	if dark {
		return inks[k].dark
	}
	return inks[k].light
}
