package command

// --plot: the picture that a command draws in addition to its answer.

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"pview/prv"
	"pview/render/picture"
)

// PlotFlags name the file of the plots; its extension is the format.
type PlotFlags struct{ file string }

func (p *PlotFlags) Flags(f *pflag.FlagSet, what string) {
	f.StringVar(&p.file, "plot", "", what+" to `FILE`: "+strings.Join(picture.Endings(), ", "))
}

func (p *PlotFlags) Wanted() bool { return p.file != "" }

func (p *PlotFlags) Check() error {
	if !p.Wanted() {
		return nil
	}
	if _, err := PictureFormat(p.file); err != nil {
		return Usagef("--plot %v", err)
	}
	return CheckOutputs(p.file)
}

// PictureFormat returns the format for the extension of a file's name.
func PictureFormat(file string) (*picture.Format, error) {
	f := picture.FormatOf(file)
	if f == nil {
		return nil, fmt.Errorf("%s: unknown format; the name of FILE must end in one of %s", file,
			strings.Join(picture.Endings(), ", "))
	}
	return f, nil
}

// Save writes the figure.
func (p *PlotFlags) Save(f *picture.Figure) error {
	return prv.SaveFile(p.file, func(w io.Writer) error { return f.Write(w, picture.FormatOf(p.file)) })
}
