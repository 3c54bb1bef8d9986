package ready

import (
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/semantic"
)

// The windows of devices. Kernels, collectives and copies have their own event types and so their own views; State As
// Is shows them all, by kind.

// ofDevices offers the last value of an event type if that occurs.
func ofDevices(typ uint32) func(*Facts) []View {
	return func(f *Facts) []View {
		if len(f.Has(typ)) == 0 {
			return nil
		}
		return []View{{Window: lastValue(typ), AnyLevel: true}}
	}
}

// running returns a view of the number of threads within spans of event types, at a level.
func running(level prv.Level, types ...uint32) semantic.Window {
	w := lastValue(types...)
	w.Compose[prv.LevelThread] = semantic.Call{Name: "Sign"}
	w.Level = level
	return w
}

func busyStreams(f *Facts) []View {
	types := f.Has(device.Kernel, device.Collective, device.Memory)
	if len(types) == 0 {
		return nil
	}
	return []View{{Window: running(prv.LevelWorkload, types...), Unit: units["Busy streams"], Graph: true}}
}

// during returns a view that is 1 while communication runs on the streams of a task and kernels, made 1 or 0 by a
// compose function, are 1.
func during(f *Facts, kernels string) []View {
	if len(f.Has(device.Kernel, device.Collective)) < 2 {
		return nil
	}
	a, b := running(prv.LevelTask, device.Collective), running(prv.LevelTask, device.Kernel)
	a.Compose[prv.LevelTask] = semantic.Call{Name: "Sign"}
	b.Compose[prv.LevelTask] = semantic.Call{Name: kernels}
	a.Name, b.Name = "Communication", "Kernels"
	w := derive(a, "product", b)
	w.Level = prv.LevelTask
	return []View{{Window: w}}
}

func overlap(f *Facts) []View { return during(f, "Sign") }

func exposed(f *Facts) []View { return during(f, "1-Sign") }

// annotations returns the ranges of each domain, the innermost of nested ones.
func annotations(f *Facts) []View {
	var list []View
	for _, c := range f.Types {
		if c.Type < device.Annotation || c.Type > device.LastAnnotation {
			continue
		}
		v := View{Window: lastValue(c.Type), AnyLevel: true}
		v.Window.Compose[prv.LevelThread] = semantic.Call{Name: "Stacked Val"}
		if len(list) > 0 {
			v.Name = "Annotation: " + f.Trace.Labels.TypeName(c.Type)
		}
		list = append(list, v)
	}
	return list
}
