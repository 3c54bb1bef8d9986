package command

import (
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

func ColorFlag() Choice { return NewChoice("auto", "always", "never", "16", "256", "truecolor") }

// Profile returns the colours that output to a stream may use, by --color or, if that is auto, by the kind of stream
// and the environment (NO_COLOR, TERM, COLORTERM, CLICOLOR_FORCE).
func (a *App) Profile(stream io.Writer) colorprofile.Profile {
	switch a.Color.Value {
	case "never":
		return colorprofile.NoTTY
	case "16":
		return colorprofile.ANSI
	case "256":
		return colorprofile.ANSI256
	case "truecolor":
		return colorprofile.TrueColor
	}
	if f, ok := FileOf(stream); ok {
		stream = f
	}
	p := colorprofile.Detect(stream, os.Environ())
	if a.Color.Value == "always" {
		return max(p, colorprofile.ANSI)
	}
	return p
}

// Styled returns a writer for styled text that reduces the styles to those that the stream can show.
func (a *App) Styled(stream io.Writer) io.Writer {
	return &styledWriter{colorprofile.Writer{Forward: stream, Profile: a.Profile(stream)}}
}

// styledWriter is a colorprofile.Writer, which checks each character for styles, with a short cut for text without any,
// such as long tables.
type styledWriter struct{ colorprofile.Writer }

func (w *styledWriter) Write(b []byte) (int, error) {
	for _, c := range b {
		if (c < ' ' || c > '~') && c != '\n' {
			return w.Writer.Write(b)
		}
	}
	return w.Forward.Write(b)
}

// WriteString is Write.
func (w *styledWriter) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := FileOf(stream)
	return ok && term.IsTerminal(f.Fd())
}
