package record

import "testing"

// L7: a call may have more records than a slice: MPI_Waitall with more receives.
func TestLongCall(t *testing.T) {
	const messages = sliceRecords + 10
	dir := t.TempDir()
	a, b := newFile(t, dir, 0, 2), newFile(t, dir, 1, 2)
	a.init(0, 2)
	b.init(1, 2)
	at := int64(2000)
	for i := range uint32(messages) {
		at += 10
		a.put(rec{kind: callSend, flags: flagSend, begin: at, end: at + 5, peer: 1, bytes: 8})
		b.put(rec{kind: callIrecv, flags: flagPost, begin: at, end: at + 5, request: i + 1})
	}
	b.put(rec{kind: callWaitall, begin: at + 10, end: at + 20})
	call := int64(b.seq)
	for i := range uint32(messages) {
		b.put(rec{kind: kindReceived, request: i + 1, recvd: 8, aux: call})
	}
	a.ends()
	b.ends()
	if n := opened(t, dir).Comms.Len(); n != messages {
		t.Errorf("%d messages, want %d", n, messages)
	}
}
