package extrae

import "testing"

// Each call has a name and a number of its own; without a number (0) only the label tells it.
func TestCallsAreDistinct(t *testing.T) {
	numbers, names := map[int64]string{}, map[string]bool{}
	for _, c := range mpiCalls {
		if other, taken := numbers[c.number]; taken && c.number != 0 {
			t.Errorf("%s and %s have the number %d", other, c.name, c.number)
		}
		if names[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		numbers[c.number], names[c.name] = c.name, true
	}
	for number, name := range map[int64]string{1: "Send", 2: "Recv", 3: "Isend", 4: "Irecv", 5: "Wait", 6: "Waitall",
		34: "Ssend", 39: "Test", 59: "Waitany", 60: "Waitsome"} {
		if numbers[number] != name {
			t.Errorf("call %d is %s, want %s", number, numbers[number], name)
		}
	}
}
