package dialog

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
)

// typed returns a line after keys: names of keys in <>, everything else is typed.
func typed(in Input, keys string) *Input {
	for keys != "" {
		name, size := keys[:1], 1
		if end := strings.IndexByte(keys, '>'); keys[0] == '<' && end > 0 {
			name, size = keys[1:end], end+1
		}
		in.key(press(name))
		keys = keys[size:]
	}
	return &in
}

func press(name string) tea.KeyPressMsg {
	var k tea.Key
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			name, k.Mod = rest, mod
		}
	}
	codes := map[string]rune{"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "space": tea.KeySpace}
	if code, ok := codes[name]; ok {
		k.Code = code
	} else if k.Code = []rune(name)[0]; k.Mod == 0 {
		k.Text = name
	}
	return tea.KeyPressMsg(k)
}

// The keys of readline; | is the cursor.
func TestInputKeys(t *testing.T) {
	for _, test := range []struct{ text, keys, want string }{
		{"", "ab c", "ab c|"},
		{"", "ab<space>c", "ab c|"},
		{"lu.8.prv", "<ctrl+a>x", "x|lu.8.prv"},
		{"lu.8.prv", "<home><right><ctrl+f>x", "lux|.8.prv"},
		{"lu.8.prv", "<left><ctrl+b>x", "lu.8.px|rv"},
		{"lu.8.prv", "<ctrl+a><ctrl+e>x", "lu.8.prvx|"},
		{"one two three", "<alt+b><ctrl+left>x", "one x|two three"},
		{"one two three", "<home><alt+f><ctrl+right>x", "one twox| three"},
		{"one two three", "<ctrl+w><alt+backspace>", "one |"},
		{"one two three", "<alt+b><ctrl+u>", "|three"},
		{"one two three", "<alt+b><ctrl+k>", "one two |"},
		{"one two three", "<home><alt+d>", "| two three"},
		{"one", "<left><alt+d>", "on|"},
		{"one ", "<left><alt+d><alt+d>", "one|"},
		{"", "<alt+d>", "|"},
		{"abc", "<backspace><ctrl+h>", "a|"},
		{"abc", "<home><delete><ctrl+d>", "|c"},
		{"幅é", "<left>x", "幅x|é"},
	} {
		in := typed(NewInput(test.text), test.keys)
		text := []rune(in.String())
		at := in.field.Position()
		if got := string(text[:at]) + "|" + string(text[at:]); got != test.want {
			t.Errorf("%q, %s: %q, want %q", test.text, test.keys, got, test.want)
		}
	}
}

// What is pasted is one line of bounded length; other keys are not handled.
func TestInputPaste(t *testing.T) {
	var in Input
	in.insert("two\nlines\tand \x1b[31mred")
	if got, want := in.String(), "two lines and  [31mred"; got != want {
		t.Errorf("pasted %q, want %q", got, want)
	}
	in.insert(strings.Repeat("x", 3*LongestInput))
	if n := len(in.String()); n != LongestInput {
		t.Errorf("%d characters after a long paste, want %d", n, LongestInput)
	}
	for _, k := range []tea.KeyPressMsg{{Code: tea.KeyUp}, {Code: tea.KeyTab}, {Code: tea.KeyEsc},
		{Code: 'v', Mod: tea.ModCtrl}, {Code: 'n', Mod: tea.ModCtrl}} {
		if in.key(k) {
			t.Errorf("%s is taken", k)
		}
	}
}

// In a line that is too long the cursor is visible; a completion follows the text, in faint.
func TestInputDraws(t *testing.T) {
	text, faint := raster.Style{FG: raster.RGB(1, 2, 3), BG: raster.RGB(9, 9, 9)},
		raster.Style{FG: raster.RGB(4, 5, 6), BG: raster.RGB(9, 9, 9)}
	for _, test := range []struct {
		text, keys, suggested, want string
		at                          int
	}{
		{"abc", "", "", "abc", 3},
		{"abcdefghij", "", "", "efghij", 6},
		{"abcdefghij", "<home>", "", "abcdefg", 0},
		{"幅幅幅幅", "", "", "幅幅幅", 6},
		{"ab", "", "Abcd", "abcd", 2},
		{"ab", "", "xyz", "ab", 2},
		{"", "", "xyz", "", 0},
		{"ab", "<left>", "abcd", "abcd", 1},
	} {
		in := typed(NewInput(test.text), test.keys)
		in.suggest(test.suggested)
		c := raster.NewCanvas(7, 1)
		if at := in.draw(c, text, faint); at != test.at || c.Plain() != test.want {
			t.Errorf("%q %s: %q with the cursor at %d, want %q, %d", test.text, test.keys, c.Plain(), at, test.want,
				test.at)
		}
		for x := range c.W {
			want := text
			if n := len(test.text); n < len(test.want) && x >= n && x < len(test.want) && len(test.suggested) > n {
				want = faint
			}
			if got := c.At(x, 0).Style; got != want {
				t.Errorf("%q: column %d is %+v, want %+v", test.text, x, got, want)
			}
		}
	}
}
