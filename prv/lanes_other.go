//go:build !amd64 || purego

package prv

func (p *packer) fetch([]int32) {}

func (c *laneColumns) put(b []uint32) { c.putPlain(b) }
