package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"pview/prv"
	"pview/prv/tabular"
)

// SameFile reports whether two paths lead to one file.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// CheckTraceName checks the name and place of a trace to write; "": none.
func CheckTraceName(out, in string) error {
	switch {
	case out == "":
	case !strings.HasSuffix(out, ".prv") && !strings.HasSuffix(out, ".prv.gz"):
		return Usagef("%s: the name of a trace must end in .prv or .prv.gz", out)
	case SameFile(in, out):
		return Usagef("%s: same file as TRACE, which is never overwritten", out)
	}
	return CheckOutputs(out)
}

// CheckOutputs returns an error, before any work is done, if files cannot be written at these paths. "": no file.
func CheckOutputs(files ...string) error {
	for _, file := range files {
		check := prv.Replaceable
		switch {
		case file == "" || tabular.FormatOf(file) != nil: // a folder
			continue
		case IsTrace(file):
			check = prv.TraceReplaceable
		}
		if err := check(file); err != nil {
			return err
		}
	}
	return nil
}

// OpenError returns the error of a file that cannot be opened.
func OpenError(path string, err error) error {
	why := err.Error()
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		why = pe.Err.Error()
	}
	return &prv.FileError{File: path, Why: why, Err: err}
}

// Apart splits the arguments into traces and Paraver's .cfg files.
func Apart(args []string) (traces, cfgs []string) {
	for _, path := range args {
		if strings.EqualFold(filepath.Ext(path), ".cfg") {
			cfgs = append(cfgs, path)
		} else {
			traces = append(traces, path)
		}
	}
	return traces, cfgs
}
