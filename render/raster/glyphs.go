package raster

// Glyphs is the set of characters that pictures are made of: there is one for terminals with UTF-8, and one for
// terminals with only ASCII.
type Glyphs struct {
	Name string

	Horizontal, Vertical, TopLeft, TopRight, BottomLeft, BottomRight rune

	Levels []rune // bars from nothing to a full cell, in equal steps
	Fills  []rune // fills for value classes without colour: the first is blank
	Shades []rune // gradient without colour, from light to dark
	// Textures distinguish values that share one of the 16 colours.
	Textures []rune

	HalfUpper, HalfLower, HalfLeft, HalfRight, Full rune // 0: cannot be split
	// by the quarters that are filled: 1 upper left, 2 upper right, 4 and 8 below
	Quarters []rune
	Lowered  rune // a cell without its uppermost eighth; 0: none

	Flag, FlagSome, FlagMany rune // one event, a few, many in the cell
	Cursor, Cursor2          rune
	Point                    rune // a marked position
	Caret                    rune // points up to a position
	Tick, TickDown           rune
	LeftEnd, RightEnd        rune // of the overview bar
	Track, Thumb             rune
	Ellipsis                 rune
	Empty                    rune // legend entry of cells left as background
	Up, Down, Flat, Upright  rune // line elements: ╱ ╲ ─ │
	Braille                  bool // lines and curves may be drawn with dots of braille
}

// UTF8 is the glyph set for terminals with UTF-8.
var UTF8 = &Glyphs{
	Name:       "utf-8",
	Horizontal: '─', Vertical: '│', TopLeft: '╭', TopRight: '╮', BottomLeft: '╰', BottomRight: '╯',
	Levels:    []rune(" ▁▂▃▄▅▆▇█"),
	Fills:     []rune(" █╌░▓▚▞▤▥▦◆◇●▒×○▧▨■□▲△▼▽abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
	Shades:    []rune(" ░▒▓█"),
	Textures:  []rune("░▒▤▥▦▓◆●"),
	HalfUpper: '▀', HalfLower: '▄', HalfLeft: '▌', HalfRight: '▐', Full: '█', Lowered: '▇',
	Quarters: []rune(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"),
	Flag:     '╵', FlagSome: '▾', FlagMany: '▼',
	Cursor: '│', Cursor2: '┆', Point: '◈', Caret: '▲', Tick: '╵', TickDown: '┬',
	LeftEnd: '▕', RightEnd: '▏',
	Track: '│', Thumb: '█', Ellipsis: '…', Empty: '·',
	Up: '╱', Down: '╲', Flat: '─', Upright: '│', Braille: true,
}

// ASCII is the glyph set for terminals with only ASCII.
var ASCII = &Glyphs{
	Name:       "ascii",
	Horizontal: '-', Vertical: '|', TopLeft: '+', TopRight: '+', BottomLeft: '+', BottomRight: '+',
	Levels:   []rune(" _.-=+*%#"),
	Fills:    []rune(" #_,%=~&:;<>o@x$abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
	Shades:   []rune(" .:-=+*#%@"),
	Textures: []rune(".:-=+*%#"),
	Full:     '#',
	Flag:     '\'', FlagSome: '"', FlagMany: '*',
	Cursor: '|', Cursor2: '!', Point: '^', Caret: '^', Tick: '\'', TickDown: '+',
	LeftEnd: '|', RightEnd: '|',
	Track: '|', Thumb: '#', Ellipsis: '~', Empty: '.',
	Up: '/', Down: '\\', Flat: '-', Upright: '|',
}
