package screen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"pview/render/raster"
)

// Profile translates Bubble Tea's findings about the colours of the terminal.
func Profile(p colorprofile.Profile) raster.Profile {
	switch p {
	case colorprofile.TrueColor:
		return raster.TrueColor
	case colorprofile.ANSI256:
		return raster.ANSI256
	case colorprofile.ANSI:
		return raster.ANSI16
	}
	return raster.Mono
}

// Check returns why the viewer cannot draw on the terminal that an environment describes; nil if it can.
func Check(env []string) error {
	if lookup(env, "TERM") == "dumb" {
		return errors.New("the viewer needs a terminal with cursor addressing, not TERM=dumb")
	}
	return nil
}

// ASCII asks the locale whether only ASCII can be shown, as setlocale does: the first of LC_ALL, LC_CTYPE
// and LANG that is set decides. The console of Linux has few glyphs beyond it.
func ASCII(env []string) bool {
	if t := lookup(env, "TERM"); t == "linux" || strings.HasPrefix(t, "vt1") || strings.HasPrefix(t, "vt2") {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(lookup(env, name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return true
}

// Renderers returns the names of the renderers, the usual one first: the wire, which moves a panned picture instead of
// sending it again, or Bubble Tea's own renderer, which knows more terminals.
func Renderers() []string { return []string{"pview", "bubbletea"} }

// RendererVariable is the environment variable that names the renderer if nothing else does.
const RendererVariable = "PVIEW_RENDERER"

// Wired reports whether the requested renderer, by name or else by the environment, is the wire.
func Wired(name string, env []string) (bool, error) {
	from := "renderer"
	if name == "" {
		name, from = lookup(env, RendererVariable), RendererVariable
	}
	if name == "" {
		name = Renderers()[0]
	}
	if !slices.Contains(Renderers(), name) {
		return false, fmt.Errorf("%s=%s: must be %s", from, name, strings.Join(Renderers(), " or "))
	}
	return name == Renderers()[0], nil
}

// lookup returns the value of a variable, "" when it is not set. The last one counts.
func lookup(env []string, name string) (value string) {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}
