package tui

import (
	"strings"

	"github.com/charmbracelet/colorprofile"

	"pview/tui/raster"
)

// rasterProfile translates what Bubble Tea found out about the terminal.
func rasterProfile(p colorprofile.Profile) raster.Profile {
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

// wantsASCII asks the locale, as setlocale does: the first of LC_ALL, LC_CTYPE
// and LANG that is set decides. The console of Linux has few glyphs beyond it.
func wantsASCII(env []string) bool {
	get := func(name string) string { return lookupEnv(env, name) }
	if t := get("TERM"); t == "linux" || t == "dumb" || strings.HasPrefix(t, "vt1") || strings.HasPrefix(t, "vt2") {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(get(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return true
}
