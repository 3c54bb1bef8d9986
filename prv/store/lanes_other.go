//go:build !amd64 || purego

package store

func (p *packer) fetch([]int32) {}

func (c *laneColumns) put(b []uint32) { c.putPlain(b) }
