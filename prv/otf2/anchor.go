package otf2

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pview/prv"
	"pview/prv/model"
)

// Extension ends the name of an anchor file.
const Extension = ".otf2"

// Detect reports whether a file belongs to an archive, by its first bytes: the anchor, definitions or events.
func Detect(head []byte) bool {
	return len(head) > 1 && head[0] == idChunk && (head[1] == littleEndian || head[1] == bigEndian)
}

// mark follows the byte order in the anchor.
var mark = []byte("OTF2\x00")

// anchor is a parsed anchor file.
type anchor struct {
	path, base           string // base has the archive's other files: base.def, base/0.evt
	version              string
	eventChunk, defChunk uint64
	announced            uint64 // locations
	creator              string
}

// Bounds of the sizes of chunks.
const leastChunk, mostChunk = 64, 1 << 30

// readAnchor reads the anchor file.
func readAnchor(path string) (*anchor, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, model.AsFileError(path, err)
	}
	fail := func(format string, args ...any) (*anchor, error) {
		return nil, &prv.FileError{File: path, Why: fmt.Sprintf(format, args...)}
	}
	if !Detect(data) || !bytes.HasPrefix(data[2:], mark) {
		if whole := anchorOf(path); whole != "" {
			return fail("is a part of an OTF2 archive: open %s", whole)
		}
		return fail("not an OTF2 anchor file")
	}
	c := &cursor{data: data, pos: 2 + len(mark), end: len(data), big: data[1] == bigEndian}
	a := &anchor{path: path, base: strings.TrimSuffix(path, Extension)}
	format := c.byte()
	c.byte() // format of the trace
	a.version = fmt.Sprintf("%d.%d.%d", c.byte(), c.byte(), c.byte())
	a.eventChunk, a.defChunk = c.fixed(8), c.fixed(8)
	substrate, compression := c.byte(), c.byte()
	a.announced, _ = c.fixed(8), c.fixed(8)
	_, a.creator, _ = c.text(), c.text(), c.text()
	if format > 1 {
		for range c.count(c.fixed(4), 2) {
			_, _ = c.text(), c.text()
		}
		c.fixed(8)
	}
	if format > 2 {
		c.fixed(8)
	}
	switch {
	case c.fault != "":
		return fail("ends after %d bytes: incomplete anchor", len(data))
	case format == 0:
		return fail("anchor format 0")
	case substrate == 2:
		return fail("is stored in SION containers: not supported")
	case substrate != 1:
		return fail("substrate %d: not supported", substrate)
	case compression != 1:
		return fail("is stored with zlib: not supported")
	}
	for _, size := range []uint64{a.eventChunk, a.defChunk} {
		if size < leastChunk || size > mostChunk {
			return fail("chunk size %d", size)
		}
	}
	return a, nil
}

// anchorOf returns the anchor of the archive that a file is a part of, "" if there is none.
func anchorOf(path string) string {
	for _, try := range []string{strings.TrimSuffix(path, ".def") + Extension, filepath.Dir(path) + Extension} {
		if isAnchor(try) {
			return try
		}
	}
	return ""
}

func isAnchor(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// InFolder returns the anchor of the archive in a folder, or of the archive whose events folder it is; "" if there is
// none, or more than one.
func InFolder(path string) string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return ""
	}
	if whole := filepath.Clean(path) + Extension; isAnchor(whole) {
		return whole
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return ""
	}
	found := ""
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), Extension) {
			continue
		}
		if found != "" {
			return ""
		}
		found = filepath.Join(path, e.Name())
	}
	return found
}

// Files returns all files of the archive of an anchor file, or in a folder; the anchor first.
func Files(path string) []string {
	if anchor := InFolder(path); anchor != "" {
		path = anchor
	}
	a := anchor{path: path, base: strings.TrimSuffix(path, Extension)}
	files := []string{path, a.base + ".def"}
	entries, err := os.ReadDir(a.base)
	if err != nil {
		return files // of an archive without events
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".evt" || ext == ".def" {
			files = append(files, filepath.Join(a.base, e.Name()))
		}
	}
	return files
}
