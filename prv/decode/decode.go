// Package decode guards the libraries that decode files: a damaged or malicious file is an error with its name, never a
// panic or a minute of work.
package decode

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"

	"github.com/BurntSushi/toml"

	"pview/prv/mapped"
)

var errDamaged = errors.New("the file is damaged")

// Guard calls f, which decodes a file. A panic is returned as an error; all errors begin with the file's name.
func Guard(name string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if mapped.Fault(r) != nil {
				panic(r) // the mapping's guard handles it
			}
			err = errDamaged
		}
		var inside runtime.Error
		switch {
		case err == nil:
		case errors.As(err, &inside), strings.Contains(err.Error(), "runtime error"): // recovered by the library
			err = fmt.Errorf("%s: %w", name, errDamaged)
		default:
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	return f()
}

// mostLevels bounds the nesting of tables and lists: the library's time grows with its square, or worse.
const mostLevels = 100

// TOML decodes a TOML file into a value. Errors name the line.
func TOML(name, text string, into any) (meta toml.MetaData, err error) {
	if line := tooDeep(text); line > 0 {
		return meta, fmt.Errorf("%s:%d: nested more than %d levels deep", name, line, mostLevels)
	}
	var at toml.ParseError
	err = Guard(name, func() error {
		meta, err = toml.Decode(text, into)
		return err
	})
	if errors.As(err, &at) {
		err = fmt.Errorf("%s:%d: %s", name, at.Position.Line, at.Message)
	}
	return meta, err
}

// tooDeep returns the line in which brackets or dotted keys are nested too deeply; 0 if none.
func tooDeep(text string) int {
	line, open, dots := 1, 0, 0
	for at := 0; at < len(text); {
		n := 1
		switch text[at] {
		case '\n':
			line++
			dots = 0
		case '=', ',':
			dots = 0
		case '.':
			dots++
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '#':
			n = len(lineEnd.FindString(text[at:]))
		case '"', '\'':
			n = len(quoted.FindString(text[at:]))
			line += strings.Count(text[at:at+n], "\n")
		}
		if max(open, dots) > mostLevels {
			return line
		}
		at += n
	}
	return 0
}

// lineEnd matches the rest of a line; quoted matches a string of TOML, or its start if it does not end.
var (
	lineEnd = regexp.MustCompile(`^[^\n]*`)
	quoted  = regexp.MustCompile(`(?s)^(?:"""(?:[^"\\]|\\.|"{1,2}(?:[^"\\]|\\.))*(?:"{3,5})?|` +
		`'''(?:[^']|'{1,2}[^'])*(?:'{3,5})?|` +
		`"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?)`)
)
