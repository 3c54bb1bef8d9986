// Package index keeps the columns of traces in files: it lays them out, writes them as an index beside the trace, and
// opens, lists and removes such indexes.
package index

// The index of a trace: its columns, as they are in memory, in files that are mapped at the next open. Then nothing is
// parsed, and only the parts in use are read.
//
// 	run.prv.pvidx/
//	    states.arrow events.arrow communications.arrow orders.arrow
//	                     the columns (columns.go): Arrow IPC files of one record batch
//	    threads.arrow    for other readers: names of the threads, and their records
//	    counts.json      the records in numbers: what Summarize finds
//	    meta.json        all else, and what proves that the files belong to the trace
//	    CACHEDIR.TAG     the mark that shows that the folder is pview's (own.go)
//
// It is beside the trace, or, if that folder is not writable, in the user's cache directory.
//
// Trust. An index is used only if the trace has the same size, modification time and sampled bytes as when it was
// parsed, the checksums of the metadata and of a sample of the columns' blocks hold, and every length and position lies
// within the files; columns whose values are positions (threads and orders of the communications) are checked value by
// value, so that no file content can make the program reach beyond its columns. Otherwise it is rebuilt.
//
// Writers. An index is made in a folder under another name, which is renamed when it is complete and on disk. A process
// that has the old index mapped keeps it: its files live until they are unmapped. A lock in the folder distinguishes an
// active writer from a killed one, whose leftovers the next writer removes.

import (
	"pview/prv/exact"
	"pview/prv/model"

	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/adrg/xdg"

	"pview/prv/mapped"
)

// version is the version of the index's format. Indexes of other versions are rebuilt.
const version = 7

// The names of files and folders.
const (
	suffix   = ".pvidx"
	metaFile = "meta.json"
	lockName = "lock"
)

// Meta is the content of meta.json without its checksum.
type Meta struct {
	Format    string `json:"format"` // "pview index"
	Version   int    `json:"version"`
	ByteOrder string `json:"byte_order"`

	Source TraceState `json:"trace"`
	Header header     `json:"header"`
	Sizes  Sizes      `json:"sizes"`
	// Tables are the files of columns, in the order of the variable tables.
	Tables  []tableMeta `json:"files"`
	Threads threadMeta  `json:"threads"`
	// CommCPU: the CPUs of the communications differ from those of the threads.
	CommCPU bool `json:"communication_cpus_vary"`

	Counts   string       `json:"counts_sha256"`    // of the file of counts, in hexadecimal
	Import   *Import      `json:"import,omitempty"` // nil: the trace is a .prv
	Comments []exact.Text `json:"comments,omitempty"`
	Skipped  *skippedMeta `json:"skipped,omitempty"`
	Cut      *model.Cut   `json:"cut,omitempty"`
	Notes    []model.Note `json:"notes,omitempty"` // on the .prv, without File; on other files, see Import
	Doubts   model.Doubts `json:"doubts"`
}

// header is the header of the trace.
type header struct {
	Date          string       `json:"date"`
	Unit          model.Unit   `json:"unit"`
	End           int64        `json:"end"`
	Duration      int64        `json:"duration"`
	NodeCPUs      []int32      `json:"node_cpus"`    // CPUs of each node
	PtaskTasks    []int32      `json:"ptask_tasks"`  // tasks of each ptask
	TaskThreads   []int32      `json:"task_threads"` // threads of each task
	TaskNodes     []int32      `json:"task_nodes"`   // node of each task, -1 unknown
	Communicators []exact.Text `json:"communicators"`
}

// skippedMeta is Skipped, with keys for the reasons.
type skippedMeta struct {
	Count  map[string]int64 `json:"count"`
	Line   int64            `json:"first_line"`
	Reason string           `json:"first_reason"`
	Text   exact.Text       `json:"first_text"`
}

// tableMeta is a file of columns.
type tableMeta struct {
	Name    string       `json:"name"`
	Rows    int64        `json:"rows"`
	Size    int64        `json:"size"`
	Columns []columnMeta `json:"columns"`
	Blocks  []uint32     `json:"blocks"` // CRC-32C of each block of the file
}

// columnMeta is the position of a column in its file.
type columnMeta struct {
	Name string `json:"name"`
	At   int64  `json:"at"`
}

// threadMeta holds the metadata of the threads, by thread.
type threadMeta struct {
	CPU      []int32     `json:"cpu"`
	States   []int64     `json:"states"`
	Events   []int64     `json:"events"`
	Large    []int64     `json:"large_values"`
	Sends    []int64     `json:"sends"`
	Receives []int64     `json:"receives"`
	Has      []ThreadHas `json:"has"`
}

// sealed is a meta.json: the metadata and their checksum.
type sealed struct {
	SHA256 string          `json:"sha256"` // of the text of index, in hexadecimal
	Index  json.RawMessage `json:"index"`
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// blockSize is the number of bytes covered by one checksum.
const blockSize = 256 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func blockSum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// byteOrder is this machine's: columns in files are as in memory.
var byteOrder = func() string {
	one := uint16(1)
	if *(*byte)(unsafe.Pointer(&one)) == 1 {
		return "little"
	}
	return "big"
}()

// Supported reports whether this machine can have indexes: their Arrow files are little-endian, and files are mapped as
// a whole.
var Supported = mapped.Supported && byteOrder == "little" && unsafe.Sizeof(uintptr(0)) == 8

// TraceState identifies a state of a trace's file or files: see ImportState.
type TraceState struct {
	Path    string `json:"path"` // for people; the trace may have moved
	Size    int64  `json:"size"`
	Changed int64  `json:"changed"` // nanoseconds since 1970
	Sample  string `json:"sample"`  // SHA-256 of samples of the file, in hexadecimal
	// Reader is the version of the program that made a trace from files in another format than .prv, and Strict is set
	// if it read them with --strict.
	Reader string `json:"reader,omitempty"`
	Strict bool   `json:"strict,omitempty"`
}

// The samples of a file: its begin and end, and pieces spread in between.
const (
	sampleEnds   = 64 << 10
	samplePieces = 32
	samplePiece  = 4 << 10
)

// StateOf returns the state of a file.
func StateOf(path string) (s TraceState, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	if !info.Mode().IsRegular() {
		return s, errors.New("is not a regular file")
	}
	real, err := RealPath(path)
	if err != nil {
		return s, err
	}
	s = TraceState{Path: real, Size: info.Size(), Changed: info.ModTime().UnixNano()}
	h := sha256.New()
	sample := func(at, n int64) error {
		at = max(0, min(at, s.Size-n))
		_, err := io.Copy(h, io.NewSectionReader(f, at, n))
		return err
	}
	err = sample(0, sampleEnds)
	for i := int64(1); i <= samplePieces && err == nil; i++ {
		err = sample(s.Size/(samplePieces+1)*i, samplePiece)
	}
	if err == nil {
		err = sample(s.Size-sampleEnds, sampleEnds)
	}
	s.Sample = hex.EncodeToString(h.Sum(nil))
	return s, err
}

// Differs describes how a file has changed; "" if it has not.
func (s TraceState) Differs(now TraceState) string {
	switch {
	case s.Size != now.Size:
		return fmt.Sprintf("the trace has changed: it had %d bytes and has %d", s.Size, now.Size)
	case s.Changed != now.Changed:
		return "the trace has changed since the index was made"
	case s.Sample != now.Sample:
		return "the trace's content has changed, although its size and time have not"
	case s.Reader != now.Reader:
		return "another version of pview read the trace"
	case now.Strict && !s.Strict:
		return "the trace was read without --strict"
	}
	return ""
}

// RealPath returns the absolute path of a file, with links resolved.
func RealPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// NamedBy returns the path that names an index: the real path of a file; if there is no such file, its absolute path.
func NamedBy(path string) (string, error) {
	real, err := RealPath(path)
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Abs(path)
	}
	return real, err
}

// PlacesOf returns the possible places of the index of a trace, given its real path: beside it, and in the user's cache
// directory.
func PlacesOf(real string) []string {
	return []string{real + suffix, filepath.Join(CacheFolder(),
		filepath.Base(real)+"-"+digest([]byte(real))[:16]+suffix)}
}

// CacheFolder returns the folder for indexes that cannot be beside their traces.
func CacheFolder() string { return filepath.Join(xdg.CacheHome, "pview", "index") }

// StaleError reports that an index belongs to an earlier state of the trace, with the difference.
type StaleError string

func (e StaleError) Error() string { return string(e) }

// ErrNone means that a trace has no index, which is not a failure.
var ErrNone = errors.New("there is no index")

// readMeta reads and checks the metadata of an index.
func readMeta(root *os.Root) (*Meta, error) {
	f, err := root.Open(metaFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("it has no " + metaFile)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxMeta))
	if err != nil {
		return nil, err
	}
	var s sealed
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", metaFile, err)
	}
	if digest(s.Index) != s.SHA256 {
		return nil, fmt.Errorf("%s is damaged: wrong checksum", metaFile)
	}
	m := &Meta{}
	if err := json.Unmarshal(s.Index, m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", metaFile, err)
	}
	switch {
	case m.Format != format || m.Version != version:
		return nil, fmt.Errorf("it is of version %d; this pview writes and reads version %d", m.Version, version)
	case m.ByteOrder != byteOrder:
		return nil, fmt.Errorf("it was made on a %s-endian machine", m.ByteOrder)
	}
	return m, nil
}

// maxMeta bounds the length of meta.json.
const maxMeta = 1 << 29

const format = "pview index"

// Open makes a trace from the index in a folder, if it is valid for the given state of the trace. The maps hold the
// trace.
func Open(ctx context.Context, dir string, now TraceState) (t *model.Trace, maps *mapped.Files, err error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, ErrNone
	}
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	defer func() {
		if err != nil && !isAt(root, dir) { // another process replaced or removed it meanwhile
			err = ErrNone
		}
	}()
	m, err := readMeta(root)
	if err != nil {
		return nil, nil, err
	}
	if why := m.Source.Differs(now); why != "" {
		return nil, nil, StaleError(why)
	}
	maps = &mapped.Files{}
	err = mapped.Guard(func() error {
		if t, err = m.open(ctx, root, maps); err == nil {
			maps.Keep()
			t.Maps = maps
			t.Counts = &model.Counted{Of: t, Load: func() *model.Summary {
				return readCounts(filepath.Join(dir, countsFile), m.Counts)
			}}
		}
		return err
	})
	if err != nil {
		maps.Close()
		return nil, nil, err
	}
	return t, maps, nil
}
