// Package screen is the terminal: its abilities, and the bytes sent to it. It is the only package of the viewer that
// knows escape sequences; everything else draws cells on a raster.Canvas.
//
//	Append       a canvas as text with ANSI styles
//	Delta        what to send so that a terminal that shows one canvas shows the next
//	Wire         the way from the program to the terminal, past Bubble Tea's renderer
//	Paint        text with ANSI styles, as the components of Bubbles make it, onto a canvas
//	Check, ASCII, Profile    what the environment and Bubble Tea say of the terminal
//	Title        a name as the title of the terminal's window
package screen
