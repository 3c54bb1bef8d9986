package cli

import (
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
)

func colorFlag() choice { return newChoice("auto", "always", "never", "16", "256", "truecolor") }

// profile returns the colours that output to a stream may use, by --color and,
// where that is auto, by what the stream is and the environment says (NO_COLOR,
// TERM, COLORTERM, CLICOLOR_FORCE).
func (a *app) profile(stream io.Writer) colorprofile.Profile {
	switch a.color.value {
	case "never":
		return colorprofile.NoTTY
	case "16":
		return colorprofile.ANSI
	case "256":
		return colorprofile.ANSI256
	case "truecolor":
		return colorprofile.TrueColor
	}
	if f, ok := fileOf(stream); ok {
		stream = f
	}
	p := colorprofile.Detect(stream, os.Environ())
	if a.color.value == "always" {
		return max(p, colorprofile.ANSI)
	}
	return p
}

// styled returns a writer to a stream that takes styled text and leaves of the
// styles what the stream can show.
func (a *app) styled(stream io.Writer) io.Writer {
	return &colorprofile.Writer{Forward: stream, Profile: a.profile(stream)}
}
