package sqlite

// The write-ahead log beside a file: pages that the file lacks.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	logHeader   = 32
	frameHeader = 24
)

// checkLog rejects a file whose log has pages that the file lacks. A log may remain after all of it is in the file.
func (f *File) checkLog(path string) error {
	log, err := os.Open(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer log.Close()
	head := make([]byte, logHeader)
	if _, err := log.ReadAt(head, 0); err != nil || binary.BigEndian.Uint32(head)&^1 != 0x377f0682 ||
		binary.BigEndian.Uint32(head[8:]) != uint32(f.pageSize) {
		return nil // SQLite does not use it either
	}
	frame := make([]byte, frameHeader+f.pageSize)
	differs, changed := map[uint32]bool{}, map[uint32]bool{} // by page, of the frames before and since the last commit
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := log.ReadAt(frame, at); err != nil || !bytes.Equal(frame[8:16], head[16:24]) {
			break // the rest is older than the log
		}
		number := binary.BigEndian.Uint32(frame)
		page, err := f.page(number)
		changed[number] = err != nil || !bytes.Equal(page[:f.pageSize], frame[frameHeader:])
		if binary.BigEndian.Uint32(frame[4:]) == 0 {
			continue
		}
		for number, d := range changed {
			differs[number] = d
		}
		clear(changed)
	}
	for _, d := range differs {
		if d {
			name := filepath.Base(path)
			return fmt.Errorf("%s-wal has changes that are not in the file: checkpoint it first, by "+
				"`sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'`", name, name)
		}
	}
	return nil
}
