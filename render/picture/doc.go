// Package picture writes pview's views to files: timelines, tables and curves, with title, axis
// and legend, as SVG, PDF and PNG, and as a page of HTML that zooms.
//
// A Figure is panels one below the other. A panel is data: series, cells, points, and how they become colours. It is
// drawn on a canvas in px (1/96 inch, y downwards), of which there is one for each kind of file; or it writes its data
// into the page, whose script draws it. Values become colours as on the screen, by raster.Painter.
package picture
