package store

// Seals of finished tables. The Arrow library trusts the numbers in a file: one wrong bit in a footer can request
// hundreds of gigabytes, which ends the process. So a digest is checked before the library sees a table. It is between
// the end of the stream and the footer, where no reader of Arrow files looks.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"math"
	"os"
)

const (
	sealMark = "PVSHA256" // 8 bytes, to keep the alignment; the SHA-256 of the rest follows
	sealSize = int64(len(sealMark) + sha256.Size)
	tailSize = 4 + len("ARROW1") // the size of the footer, and the end mark
)

var errBroken = errors.New("the file is damaged: its digest is another")

// sealer writes an Arrow file with a seal. It keeps the last write, which contains the end of the file.
type sealer struct {
	to   io.Writer
	sum  hash.Hash
	kept []byte // the end of the output, including the footer
}

// mostFooter bounds kept: a footer has 24 bytes for each record of rowsPerRecord rows, and the schema.
const mostFooter = 1 << 20

// Write implements io.Writer.
func (s *sealer) Write(b []byte) (int, error) {
	s.kept = append(s.kept, b...)
	if n := len(s.kept) - mostFooter; n > mostFooter {
		if err := s.pass(s.kept[:n]); err != nil {
			return 0, err
		}
		s.kept = append(s.kept[:0], s.kept[n:]...)
	}
	return len(b), nil
}

func (s *sealer) pass(b []byte) error {
	s.sum.Write(b)
	_, err := s.to.Write(b)
	return err
}

// close writes the rest, with the seal before the footer.
func (s *sealer) close() error {
	at := footerAt(s.kept, int64(len(s.kept)))
	if at < 0 {
		return errors.New("the schema of the study is too large")
	}
	footer := s.kept[at:]
	if err := s.pass(s.kept[:at]); err != nil {
		return err
	}
	s.sum.Write(footer)
	_, err := s.to.Write(append(s.sum.Sum([]byte(sealMark)), footer...))
	return err
}

// footerAt returns the start of a file's footer, given the end of the file; -1 if impossible.
func footerAt(end []byte, size int64) int64 {
	if len(end) < tailSize {
		return -1
	}
	footer := int64(binary.LittleEndian.Uint32(end[len(end)-tailSize:])) + int64(tailSize)
	if footer > size {
		return -1
	}
	return size - footer
}

// checkSeal returns an error if a file differs from what was written; must: the seal is required.
func checkSeal(f *os.File, must bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	tail, seal := make([]byte, tailSize), make([]byte, sealSize)
	at := int64(-1)
	if _, err := f.ReadAt(tail, size-int64(tailSize)); err == nil {
		at = footerAt(tail, size) - sealSize
	}
	if at >= 0 {
		if _, err := f.ReadAt(seal, at); err != nil {
			return err
		}
	}
	if at < 0 || !bytes.HasPrefix(seal, []byte(sealMark)) {
		if must {
			return errBroken
		}
		return nil
	}
	sum := sha256.New()
	for _, part := range []*io.SectionReader{io.NewSectionReader(f, 0, at),
		io.NewSectionReader(f, at+sealSize, math.MaxInt64-at-sealSize)} {
		if _, err := io.Copy(sum, part); err != nil {
			return err
		}
	}
	if !bytes.Equal(sum.Sum(nil), seal[len(sealMark):]) {
		return errBroken
	}
	return nil
}
