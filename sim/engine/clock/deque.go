package clock

// Deque is a queue of numbers that reuses its memory.
type Deque struct {
	ring    []int32
	head, N int
}

func (d *Deque) grow() {
	ring := make([]int32, max(4, 2*len(d.ring)))
	k := copy(ring, d.ring[d.head:])
	copy(ring[k:], d.ring[:d.head])
	d.ring, d.head = ring, 0
}

func (d *Deque) PushBack(x int32) {
	if d.N == len(d.ring) {
		d.grow()
	}
	d.ring[(d.head+d.N)&(len(d.ring)-1)] = x
	d.N++
}

func (d *Deque) PushFront(x int32) {
	if d.N == len(d.ring) {
		d.grow()
	}
	d.head = (d.head - 1) & (len(d.ring) - 1)
	d.ring[d.head] = x
	d.N++
}

func (d *Deque) Front() int32 { return d.ring[d.head] }

// At returns the k-th from the front.
func (d *Deque) At(k int) int32 { return d.ring[(d.head+k)&(len(d.ring)-1)] }

func (d *Deque) PopFront() int32 {
	x := d.ring[d.head]
	d.head = (d.head + 1) & (len(d.ring) - 1)
	d.N--
	return x
}

// RemoveAt removes the k-th from the front.
func (d *Deque) RemoveAt(k int) int32 {
	if k == 0 {
		return d.PopFront()
	}
	mask := len(d.ring) - 1
	x := d.At(k)
	for ; k < d.N-1; k++ {
		d.ring[(d.head+k)&mask] = d.ring[(d.head+k+1)&mask]
	}
	d.N--
	return x
}

// Remove removes x, wherever it is.
func (d *Deque) Remove(x int32) {
	for k := range d.N {
		if d.At(k) == x {
			d.RemoveAt(k)
			return
		}
	}
}
