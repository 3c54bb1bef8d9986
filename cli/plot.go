package cli

// --plot: the picture that a command draws beside its answer.

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"pview/prv"
	"pview/render/picture"
)

// plotFlags name the file of the plots; its ending is the format.
type plotFlags struct{ file string }

func (p *plotFlags) flags(f *pflag.FlagSet, what string) {
	f.StringVar(&p.file, "plot", "", what+" to `FILE`: "+strings.Join(picture.Endings(), ", "))
}

func (p *plotFlags) wanted() bool { return p.file != "" }

func (p *plotFlags) check() error {
	if !p.wanted() {
		return nil
	}
	if _, err := pictureFormat(p.file); err != nil {
		return usagef("--plot %v", err)
	}
	return nil
}

// pictureFormat is the format that the ending of a file's name tells.
func pictureFormat(file string) (*picture.Format, error) {
	f := picture.FormatOf(file)
	if f == nil {
		return nil, fmt.Errorf("%s: unknown format; the name of FILE must end in one of %s", file,
			strings.Join(picture.Endings(), ", "))
	}
	return f, nil
}

// save writes the figure.
func (p *plotFlags) save(f *picture.Figure) error {
	return prv.SaveFile(p.file, func(w io.Writer) error { return f.Write(w, picture.FormatOf(p.file)) })
}
