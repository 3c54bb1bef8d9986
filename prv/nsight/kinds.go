package nsight

// Event types: those of nsys2prv, and Extrae's for MPI.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/kineto"
)

// Event types that package device does not have.
const (
	typeMetric    = 9400 // and following, by the number of the metric
	typeNCCL      = 9500 // ranges of NCCL
	typeMark      = 9599
	typeNVTX      = 9600 // and following, by domain
	typeOther     = 9699 // ranges of domains beyond those
	typeSystem    = 66400000
	typeAllocated = 66500001
	typeReleased  = 66500002
	typeLibrary   = 9697 // functions of cuDNN and cuBLAS
	typeOpenACC   = 66000000

	stateBlocked = 9
	stateOthers  = 15
)

// kinds are the event types of the run.
type kinds struct {
	mark, system, blocked, overhead, allocated, released *kineto.Kind
	functions, openACC                                   *kineto.Kind
	sent, received                                       *kineto.Kind
	mpi                                                  map[extrae.MPICall]*kineto.Kind
	mpiValues                                            map[uint32]map[string]int64
}

func newKinds() *kinds {
	plain := func(typ uint32, label string) *kineto.Kind {
		return &kineto.Kind{Type: typ, Label: label, Plain: true}
	}
	return &kinds{mark: &kineto.Kind{Type: typeMark, Label: "NVTX mark", Points: true},
		system:    &kineto.Kind{Type: typeSystem, Label: "OS Runtime call", State: kineto.Inherited},
		blocked:   &kineto.Kind{Type: typeSystem, Label: "OS Runtime call", State: stateBlocked},
		overhead:  &kineto.Kind{Type: device.Profiler, Label: device.ProfilerLabel, State: stateOthers},
		allocated: plain(typeAllocated, "CUDA memory allocated"), released: plain(typeReleased, "CUDA memory released"),
		functions: &kineto.Kind{Type: typeLibrary, Label: "cuDNN and cuBLAS function", State: 1},
		openACC:   &kineto.Kind{Type: typeOpenACC, Label: "OpenACC event", State: 1},
		sent:      plain(extrae.CollectiveSent, extrae.SentLabel),
		received:  plain(extrae.CollectiveRecv, extrae.ReceivedLabel),
		mpi:       map[extrae.MPICall]*kineto.Kind{},
		mpiValues: map[uint32]map[string]int64{}}
}

// domain returns the kind of the ranges of an NVTX domain.
func (r *report) domain(id int64) *kineto.Kind {
	if r.lastDomain != nil && r.lastDomainID == id {
		return r.lastDomain
	}
	d := r.domains[id]
	if d == nil {
		d = &kineto.Kind{State: 1}
		switch {
		case id == 0:
			d.Type, d.Label = typeNVTX, "NVTX"
		case id > 0 && id < typeLibrary-typeNVTX:
			d.Type, d.Label = typeNVTX+uint32(id), fmt.Sprintf("NVTX domain %d", id)
		default:
			d.Type, d.Label = typeOther, "NVTX, other domains"
		}
		r.domains[id] = d
	}
	r.lastDomain, r.lastDomainID = d, id
	return d
}

// nameDomain gives a domain its name.
func (r *report) nameDomain(id int64, name string) {
	d := r.domain(id)
	switch {
	case name == "NCCL":
		d.Type, d.Label = typeNCCL, name
	case d.Type != typeOther && name != "":
		d.Label = "NVTX " + name
	}
}

// metric returns the kind of a counter of a GPU.
func (r *report) metric(id int64) *kineto.Kind {
	m := r.metrics[id]
	if m == nil {
		typ := uint32(typeNCCL - 1)
		if id >= 0 && id < typeNCCL-typeMetric {
			typ = typeMetric + uint32(id)
		}
		m = &kineto.Kind{Type: typ, Label: fmt.Sprintf("GPU metric %d", id), Plain: true}
		r.metrics[id] = m
	}
	return m
}

// settle gives the domains of several reports, which number them independently, a type for each name.
func settle(reports []*report) {
	label := map[uint32]string{}
	typ := map[string]uint32{}
	for _, r := range reports {
		for _, id := range slices.Sorted(maps.Keys(r.domains)) {
			d := r.domains[id]
			if t, ok := typ[d.Label]; ok {
				d.Type = t
				continue
			}
			for label[d.Type] != "" && d.Type != typeOther {
				if d.Type++; d.Type >= typeLibrary {
					d.Type, d.Label = typeOther, "NVTX, other domains"
				}
			}
			label[d.Type], typ[d.Label] = d.Label, d.Type
		}
	}
}

// call returns the kind of an MPI call; calls that Extrae does not number have a type.
func (k *kinds) call(name string, typ uint32) *kineto.Kind {
	c, known := extrae.MPICalls[strings.TrimPrefix(name, "MPI_")]
	if !known {
		c.Type, c.State = typ, extrae.MPIStates[typ]
	}
	values := k.mpiValues[c.Type]
	if values == nil {
		values = map[string]int64{}
		k.mpiValues[c.Type] = values
	}
	values[name] = c.Value
	key := extrae.MPICall{Type: c.Type, State: c.State}
	kind := k.mpi[key]
	if kind == nil {
		kind = &kineto.Kind{Type: c.Type, State: uint32(c.State), Values: values}
		for _, t := range extrae.MPITypes {
			if t.Type == c.Type {
				kind.Label = t.Label
			}
		}
		k.mpi[key] = kind
	}
	return kind
}

// number numbers the calls that Extrae does not, in alphabetical order.
func (k *kinds) number() {
	for _, values := range k.mpiValues {
		var list []string
		for name, v := range values {
			if v == 0 {
				list = append(list, name)
			}
		}
		slices.Sort(list)
		for i, name := range list {
			values[name] = extrae.FirstOtherMPICall + 1 + int64(i)
		}
	}
}
