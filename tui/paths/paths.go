// Package paths reads paths as users type them in prompts: with ~, in quotes, completed. It also names the causes of
// file system errors.
package paths

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CanCreateIn reports whether files can be created in a folder.
func CanCreateIn(dir string) bool {
	f, err := os.CreateTemp(dir, ".pview-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// Cause returns the cause of a file system error, without the path.
func Cause(err error) error {
	var pe *os.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// Same reports whether two paths name the same existing file.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// ExpandHome replaces a leading ~ as shells do.
func ExpandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		if home, err := os.UserHomeDir(); err == nil {
			return home + rest
		}
	}
	return path
}

// Typed returns the path that a user typed: without quotes, with ~ expanded.
func Typed(text string) string { return ExpandHome(Unquote(text)) }

// Unquote returns a text without quotes around it.
func Unquote(text string) string { return strings.Trim(strings.TrimSpace(text), `"`) }

// Complete completes paths: folders, and files with one of the endings.
func Complete(endings ...string) func(string) []string {
	return func(args string) []string {
		dir, part := filepath.Split(strings.Trim(strings.TrimSpace(args), `"`))
		look := ExpandHome(dir)
		if look == "" {
			look = "."
		}
		entries, err := os.ReadDir(look)
		if err != nil {
			return nil
		}
		var found []string
		for _, e := range entries {
			name := e.Name()
			if !strings.HasPrefix(name, part) || name[0] == '.' && part == "" {
				continue
			}
			if isDir(look, e) {
				found = append(found, dir+name+"/")
			} else if slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) }) {
				found = append(found, dir+name)
			}
			if len(found) == 500 {
				break
			}
		}
		return found
	}
}

// Exists reports whether a path names a regular file.
func Exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(dir string, e os.DirEntry) bool {
	if e.Type()&os.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// Absolute returns the absolute form of a path, or the path itself if the working folder is unknown.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
