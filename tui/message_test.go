package tui

import "testing"

// The message under the cursor: thread 2 is ready for it at 20, thread 1 sends it at 50, and it arrives at 70. Thread 2
// is ready for another one only at 90, which was sent at 85.
func TestMessageUnderTheCursor(t *testing.T) {
	d := onTrace(t, 160, 30, `#Paraver (01/01/03 at 00:00):100:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
3:1:1:1:1:50:50:2:1:2:1:20:70:3000:5
3:1:1:1:1:85:85:2:1:2:1:90:95:3000:6
`)
	d.press("x")
	d.goTo("50us")
	d.sees("THREAD 1.1.1 to 1.2.1", "3 kB", "receive posted 20 us, sent 50 us, received 70 us", "tag 5")
	d.goTo("85us")
	d.sees("sent 85 us, received 95 us", "tag 6")
	d.misses("posted")
}
