package store

import "testing"

// Columns in blocks do not overlap, whatever their lengths, and a freed block is used before a new one is made.
func TestColumnsInBlocks(t *testing.T) {
	p := &blocks{}
	used := p.get()
	p.put(used)
	r := columnRoom{blocks: p}
	// A block has 32752 numbers of 32 bits: columns of more than 8188 of these, or 4094 rows of 64 bits, are not in
	// blocks.
	lengths := []int{1, 4094, 4095, 0, 3000, 8188, 8189, 7, 4000, 4000, 4000, 4000, 11}
	var times [][]int64
	var types [][]uint32
	for i, n := range lengths {
		times, types = append(times, columnIn[int64](&r, n)), append(types, columnIn[uint32](&r, n))
		for k := range n {
			times[i][k], types[i][k] = int64(i), uint32(100+i)
		}
	}
	for i, n := range lengths {
		if len(times[i]) != n || len(types[i]) != n {
			t.Errorf("columns %d have %d and %d rows instead of %d", i, len(times[i]), len(types[i]), n)
		}
		for k := range n {
			if times[i][k] != int64(i) || types[i][k] != uint32(100+i) {
				t.Fatalf("row %d of columns %d: %d, %d", k, i, times[i][k], types[i][k])
			}
		}
	}
	if &types[0][:1][0] != &used[2] { // after the thread's single time
		t.Error("the free block is not used")
	}
}

// Free blocks beyond a limit keep their place but not their pages.
func TestFreeBlocks(t *testing.T) {
	p := &blocks{}
	var list []block
	for range mostKept + 1 {
		b := p.get()
		b[len(b)/2] = 7
		list = append(list, b)
	}
	p.free = p.free[:0]
	for _, b := range list {
		p.put(b)
	}
	if n := len(p.free); n != mostKept+1 {
		t.Errorf("%d blocks are free", n)
	}
	if b := list[mostKept-1]; b[len(b)/2] != 7 {
		t.Error("a block within the limit is given up")
	}
}
