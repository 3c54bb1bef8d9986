package kineto

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
)

// document returns a trace as text: its .prv without the header, its .pcf and its thread names.
func document(t *testing.T, tr *prv.Trace) string {
	t.Helper()
	var b strings.Builder
	if err := prv.Write(context.Background(), &b, tr); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(b.String(), "\n")
	b.Reset()
	b.WriteString("\n" + body)
	for _, e := range tr.Labels.Types {
		fmt.Fprintf(&b, "%d %s", e.Type, e.Label)
		for _, v := range e.Values {
			if e.Type != device.Operation { // those of the vocabulary are left out
				fmt.Fprintf(&b, "; %d %s", v.Value, v.Label)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n", strings.Join(tr.Names.Levels[prv.LevelThread], ", "))
	for _, n := range tr.Notes {
		fmt.Fprintln(&b, n.Text)
	}
	return b.String()
}

// wholeRank is one of two ranks, with an event of each category. Its kernels and transfers belong to calls by their
// correlation; a collective of 6 floats in a group of both ranks takes from 30 to 45 us on rank 0, 35 to 45 on rank 1;
// rank 0 sends 4 floats to rank 1.
func wholeRank(rank int) string {
	late, send := 5*rank, [2]string{"send", "recv"}[rank]
	return fmt.Sprintf(`{"schemaVersion": 1, "distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [
{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"python"}},
{"ph":"M","name":"thread_name","pid":7,"tid":7,"args":{"name":"main loop"}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":7,"tid":7,"ts":1,"dur":90},
{"ph":"X","cat":"user_annotation","name":"forward","pid":7,"tid":7,"ts":2,"dur":20},
{"ph":"X","cat":"python_function","name":"model.py(3): call","pid":7,"tid":7,"ts":3,"dur":10},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":4,"dur":8},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":5,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm(float*)","pid":0,"tid":7,"ts":10,"dur":12,"args":{"device":0,"stream":7,
"correlation":1,"grid":[1,2,3],"block":[4,5,6],"shared memory":8,"registers per thread":9}},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":7,"tid":7,"ts":13,"dur":1,"args":{"correlation":2}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":9,"ts":15,"dur":4,"args":{"device":0,"stream":9,
"correlation":2,"bytes":4096}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":25,"dur":2,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum_f32","pid":0,"tid":11,"ts":%d,"dur":%d,"args":{"device":0,
"stream":11,"correlation":3,"Collective name":"allreduce","In msg nelems":6,"Out msg nelems":6,"dtype":"Float",
"Process Group Name":"0","Process Group Ranks":"[0, 1]","Group size":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":50,"dur":2,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_SendRecv","pid":0,"tid":11,"ts":55,"dur":%d,"args":{"device":0,
"stream":11,"correlation":4,"Collective name":"%s","In msg nelems":4,"Out msg nelems":4,"dtype":"Float",
"Process Group Name":"0","Process Group Ranks":"[0, 1]","Group size":2,"Src Rank":0,"Dst Rank":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":7,"tid":7,"ts":60,"dur":20,
"args":{"correlation":5}},
{"ph":"X","cat":"overhead","name":"CUPTI flush","pid":7,"tid":7,"ts":82,"dur":3},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":7,"tid":7,"ts":86,"s":"t","args":{"Device Type":1,
"Total Allocated":1024,"Total Reserved":2048}},
{"ph":"i","cat":"cpu_instant_event","name":"mark","pid":7,"tid":7,"ts":87,"s":"t"},
{"ph":"X","cat":"gpu_user_annotation","name":"forward","pid":0,"tid":7,"ts":10,"dur":12,"args":{"device":0,"stream":7}}
]}`, rank, 30+late, 15-late, 10-late, send)
}

// A run of two ranks as a document.
func TestWholeRun(t *testing.T) {
	tr, err := OpenRun(context.Background(), []string{write(t, "rank0.json", wholeRank(0)),
		write(t, "rank1.json", wholeRank(1))}, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := document(t, tr), `
c:1:1:2:1:2
1:0:1:1:1:0:1000:0
2:0:1:1:1:0:9702:4
1:1:1:1:2:0:9000:0
1:1:1:1:3:0:14000:0
1:1:1:1:4:0:29000:0
1:0:1:2:1:0:1000:0
2:0:1:2:1:0:9702:4
1:2:1:2:2:0:9000:0
1:2:1:2:3:0:14000:0
1:2:1:2:4:0:34000:0
1:0:1:1:1:1000:4000:1
2:0:1:1:1:1000:9600:1
1:0:1:2:1:1000:4000:1
2:0:1:2:1:1000:9600:1
2:0:1:1:1:2000:9701:1
2:0:1:2:1:2000:9701:1
2:0:1:1:1:3000:60000019:1
2:0:1:2:1:3000:60000019:1
1:0:1:1:1:4000:6000:15
2:0:1:1:1:4000:63000000:1
1:0:1:2:1:4000:6000:15
2:0:1:2:1:4000:63000000:1
1:0:1:1:1:6000:12000:1
2:0:1:1:1:6000:63000000:0
1:0:1:2:1:6000:12000:1
2:0:1:2:1:6000:63000000:0
3:0:1:1:1:4000:6000:1:1:1:2:9000:9000:0:55001
1:1:1:1:2:9000:21000:1
2:1:1:1:2:9000:63000006:1:9101:1:9102:2:9103:3:9104:4:9105:5:9106:6:9107:8:9110:9:9200:1
2:1:1:1:2:9000:9702:4
2:1:1:1:2:9000:9600:1
1:2:1:2:2:9000:21000:1
2:2:1:2:2:9000:63000006:1:9101:1:9102:2:9103:3:9104:4:9105:5:9106:6:9107:8:9110:9:9200:1
2:2:1:2:2:9000:9702:4
2:2:1:2:2:9000:9600:1
2:0:1:1:1:11000:60000019:0
2:0:1:2:1:11000:60000019:0
1:0:1:1:1:12000:13000:15
2:0:1:1:1:12000:9701:0
2:0:1:1:1:12000:63000000:2
1:0:1:2:1:12000:13000:15
2:0:1:2:1:12000:9701:0
2:0:1:2:1:12000:63000000:2
1:0:1:1:1:13000:21000:1
2:0:1:1:1:13000:63000000:0
1:0:1:2:1:13000:21000:1
2:0:1:2:1:13000:63000000:0
3:0:1:1:1:12000:13000:1:1:1:3:14000:14000:4096:55002
1:1:1:1:3:14000:18000:17
2:1:1:1:3:14000:63000001:1:63000002:4096:9200:2
2:1:1:1:3:14000:9702:4
1:2:1:2:3:14000:18000:17
2:2:1:2:3:14000:63000001:1:63000002:4096:9200:2
2:2:1:2:3:14000:9702:4
1:1:1:1:3:18000:90000:0
2:1:1:1:3:18000:63000001:0
2:1:1:1:3:18000:9702:0
1:2:1:2:3:18000:90000:0
2:2:1:2:3:18000:63000001:0
2:2:1:2:3:18000:9702:0
1:0:1:1:1:21000:24000:0
2:0:1:1:1:21000:9600:0
1:1:1:1:2:21000:90000:0
2:1:1:1:2:21000:63000006:0
2:1:1:1:2:21000:9702:0
2:1:1:1:2:21000:9600:0
1:0:1:2:1:21000:24000:0
2:0:1:2:1:21000:9600:0
1:2:1:2:2:21000:90000:0
2:2:1:2:2:21000:63000006:0
2:2:1:2:2:21000:9702:0
2:2:1:2:2:21000:9600:0
1:0:1:1:1:24000:26000:15
2:0:1:1:1:24000:63000000:1
1:0:1:2:1:24000:26000:15
2:0:1:2:1:24000:63000000:1
1:0:1:1:1:26000:49000:0
2:0:1:1:1:26000:63000000:0
1:0:1:2:1:26000:49000:0
2:0:1:2:1:26000:63000000:0
3:0:1:1:1:24000:26000:1:1:1:4:29000:29000:0:55001
1:1:1:1:4:29000:44000:13
2:1:1:1:4:29000:63000007:1:9200:3:9703:1:9704:1:9705:24:9706:24:9707:1:9708:2
2:1:1:1:4:29000:9702:4
1:2:1:2:4:34000:44000:13
2:2:1:2:4:34000:63000007:1:9200:3:9703:1:9704:1:9705:24:9706:24:9707:1:9708:2
2:2:1:2:4:34000:9702:4
1:1:1:1:4:44000:54000:0
2:1:1:1:4:44000:63000007:0:9703:0
1:2:1:2:4:44000:54000:0
2:2:1:2:4:44000:63000007:0:9703:0
1:0:1:1:1:49000:51000:15
2:0:1:1:1:49000:63000000:1
1:0:1:2:1:49000:51000:15
2:0:1:2:1:49000:63000000:1
1:0:1:1:1:51000:59000:0
2:0:1:1:1:51000:63000000:0
1:0:1:2:1:51000:59000:0
2:0:1:2:1:51000:63000000:0
3:0:1:1:1:49000:51000:1:1:1:4:54000:54000:0:55001
3:0:1:2:1:4000:6000:2:1:2:2:9000:9000:0:55001
3:0:1:2:1:12000:13000:2:1:2:3:14000:14000:4096:55002
3:0:1:2:1:24000:26000:2:1:2:4:34000:34000:0:55001
3:0:1:2:1:49000:51000:2:1:2:4:54000:54000:0:55001
1:1:1:1:4:54000:64000:16
2:1:1:1:4:54000:63000007:2:9200:4:9703:10:9704:1:9705:16:9706:16:9707:2:9708:2
1:2:1:2:4:54000:59000:16
2:2:1:2:4:54000:63000007:2:9200:4:9703:11:9704:1:9705:16:9706:16:9707:2:9708:2
3:1:1:1:4:54000:54000:2:1:2:4:54000:59000:16:55004
1:0:1:1:1:59000:79000:5
2:0:1:1:1:59000:63000000:3
1:0:1:2:1:59000:79000:5
2:0:1:2:1:59000:63000000:3
1:2:1:2:4:59000:90000:0
2:2:1:2:4:59000:63000007:0:9703:0
2:2:1:2:4:59000:9702:0
1:1:1:1:4:64000:90000:0
2:1:1:1:4:64000:63000007:0:9703:0
2:1:1:1:4:64000:9702:0
1:0:1:1:1:79000:81000:0
2:0:1:1:1:79000:63000000:0
1:0:1:2:1:79000:81000:0
2:0:1:2:1:79000:63000000:0
1:0:1:1:1:81000:84000:15
2:0:1:1:1:81000:9698:1
1:0:1:2:1:81000:84000:15
2:0:1:2:1:81000:9698:1
1:0:1:1:1:84000:90000:0
2:0:1:1:1:84000:9698:0
1:0:1:2:1:84000:90000:0
2:0:1:2:1:84000:9698:0
2:0:1:1:1:85000:9710:1024
2:0:1:1:1:85000:9711:2048
2:0:1:2:1:85000:9710:1024
2:0:1:2:1:85000:9711:2048
2:0:1:1:1:86000:9709:1
2:0:1:2:1:86000:9709:1
2:0:1:1:1:90000:9702:0
2:0:1:2:1:90000:9702:0
63000000 CUDA library call; 0 End; 1 cudaLaunchKernel; 2 cudaMemcpyAsync; 3 cudaStreamSynchronize
60000019 User function; 0 End; 1 aten::mm
9600 PyTorch annotation; 0 End; 1 forward
9701 Python function; 0 End; 1 model.py(3): call
63000006 CUDA kernel; 0 End; 1 gemm(float*)
63000007 NCCL kernel; 0 End; 1 ncclDevKernel_AllReduce_Sum_f32; 2 ncclDevKernel_SendRecv
63000001 CUDA memcpy kernel; 0 End; 1 Memcpy HtoD
9709 Instant; 1 mark
9698 Profiler overhead; 0 End; 1 CUPTI flush
9703 Collective
9704 Collective group; 1 group 0: ranks 0-1
63000002 Memcopy size
9101 Kernel GrdX
9102 Kernel GrdY
9103 Kernel GrdZ
9104 Kernel BlkX
9105 Kernel BlkY
9106 Kernel BlkZ
9107 Kernel shared memory
9110 Kernel registers/thread
9200 Correlation ID
9702 Iteration
9705 Collective bytes in
9706 Collective bytes out
9707 Collective number in its group
9708 Collective group size
9710 Device memory allocated
9711 Device memory reserved
9712 Host memory allocated
main loop, CUDA-D0.S7, CUDA-D0.S9, CUDA-D0.S11, main loop, CUDA-D0.S7, CUDA-D0.S9, CUDA-D0.S11
nodes inferred from the numbers of the devices
`; got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

// Two ranks filled like another reader's. Each has a thread with spans and events of two kinds, and calls that launch a
// kernel, a copy and a collective, whose details are told and which ends on both at the same time. One thread sends a
// message to the other. The clock of rank 1 begins 1000 ns later.
func TestFilledRanks(t *testing.T) {
	var ranks []*Rank
	var rows []int32
	for i := range 2 {
		r := NewRank(fmt.Sprintf("report%d", i), false)
		r.Title, r.Host, r.Base = fmt.Sprint("process ", i), "node1", int64(1000*i)
		row := r.Thread("17", "main")
		if r.Thread("17", "other") != row {
			t.Error("an id has two rows")
		}
		named := r.Index(&Kind{Type: 500, Label: "Range", State: 13, Values: map[string]int64{"solve": 4}})
		points := r.Index(&Kind{Type: 501, Label: "Metric", State: Inherited, Plain: true, Points: true})
		solve := r.Name("solve")
		if r.NameOf([]byte("solve")) != solve {
			t.Error("a name has two numbers")
		}
		r.Span(row, 100, 300, solve, named)
		r.Open(row, 2000, solve, named)
		r.Event(row, 150, points, -1, 42)
		r.Event(r.Apart("power"), 160, points, -1, 77)
		launch, copied := r.Name("cudaLaunchKernel_v7000"), r.Name("cudaMemcpyAsync_v3020")
		r.ReserveCalls(4)
		r.ReserveWork(3)
		r.ReserveSpans(row, 4)
		r.Call(row, 400, 450, launch, 1, false)
		r.Call(row, 460, 480, copied, 2, false)
		r.Call(row, 490, 500, launch, 3, false)
		r.Call(row, 900, 1500, r.Name("cudaEventSynchronize"), 4, true)
		calls := r.CallsOf(row, "Launch", func(begin int64) bool { return begin > 400 })
		if len(calls) != 1 || calls[0] != (Call{490, 500, 3}) {
			t.Errorf("calls %v", calls)
		}
		r.Work(&Work{Begin: 500, End: 700, Correlation: 1, Stream: 7, Name: r.Name("axpy(float)"),
			Size: &[6]int64{1, 2, 3, 4, 5, 6}, Shared: 8, Registers: 9})
		r.Work(&Work{Begin: 710, End: 800, Correlation: 2, Stream: 7, Bytes: 64, Name: r.Name("[CUDA memcpy HtoD]"),
			Copy: true})
		r.Work(&Work{Begin: 820, End: 2400 - r.Base, Correlation: 3, Stream: 9,
			Name: r.Name("ncclDevKernel_Generic(args)")})
		r.Tell(map[int64]Told{1: {Operation: 1},
			3: {Operation: device.AllGather, Bytes: 256, Group: "world", Members: 2}})
		r.Unended(solve)
		r.Negative("odd")
		ranks, rows = append(ranks, r), append(rows, row)
	}
	tr, err := Build(context.Background(), ranks, []Message{{ranks[0], ranks[1], rows[0], rows[1], 128, 5,
		[4]int64{200, 210, 1600, 1700}}}, []prv.Note{{Text: "a note"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := document(t, tr), `
c:1:1:2:1:2
1:0:1:1:1:0:200:13
2:0:1:1:1:0:500:4
1:1:1:1:2:0:400:0
1:1:1:1:3:0:720:0
1:0:1:2:1:0:1000:14
1:1:1:2:2:0:1000:14
1:1:1:2:3:0:1000:14
2:0:1:1:1:50:501:42
2:0:1:1:4:60:501:77
1:0:1:1:1:200:300:0
2:0:1:1:1:200:500:0
1:0:1:1:1:300:350:15
2:0:1:1:1:300:63000000:2
1:0:1:1:1:350:360:0
2:0:1:1:1:350:63000000:0
3:0:1:1:1:300:350:1:1:1:2:400:400:0:55001
1:0:1:1:1:360:380:15
2:0:1:1:1:360:63000000:3
1:0:1:1:1:380:390:0
2:0:1:1:1:380:63000000:0
3:0:1:1:1:360:380:1:1:1:2:610:610:64:55002
1:0:1:1:1:390:400:15
2:0:1:1:1:390:63000000:2
1:0:1:1:1:400:800:0
2:0:1:1:1:400:63000000:0
1:1:1:1:2:400:600:1
2:1:1:1:2:400:63000006:1:9101:1:9102:2:9103:3:9104:4:9105:5:9106:6:9107:8:9110:9:9200:1
3:0:1:1:1:390:400:1:1:1:3:720:720:0:55001
1:1:1:1:2:600:610:0
2:1:1:1:2:600:63000006:0
1:1:1:1:2:610:700:17
2:1:1:1:2:610:63000001:1:63000002:64:9200:2
1:1:1:1:2:700:2300:0
2:1:1:1:2:700:63000001:0
1:1:1:1:3:720:2300:13
2:1:1:1:3:720:63000007:1:9200:3:9703:2:9704:1:9705:256:9707:1:9708:2
1:0:1:1:1:800:1400:5
2:0:1:1:1:800:63000000:1
1:0:1:2:1:1000:1200:13
2:0:1:2:1:1000:500:4
1:1:1:2:2:1000:1400:0
1:1:1:2:3:1000:1720:0
2:0:1:2:1:1050:501:42
2:0:1:2:4:1060:501:77
1:0:1:2:1:1200:1300:0
2:0:1:2:1:1200:500:0
1:0:1:2:1:1300:1350:15
2:0:1:2:1:1300:63000000:2
1:0:1:2:1:1350:1360:0
2:0:1:2:1:1350:63000000:0
3:0:1:2:1:1300:1350:1:1:2:2:1400:1400:0:55001
1:0:1:2:1:1360:1380:15
2:0:1:2:1:1360:63000000:3
1:0:1:2:1:1380:1390:0
2:0:1:2:1:1380:63000000:0
3:0:1:2:1:1360:1380:1:1:2:2:1610:1610:64:55002
1:0:1:2:1:1390:1400:15
2:0:1:2:1:1390:63000000:2
1:0:1:1:1:1400:1900:0
2:0:1:1:1:1400:63000000:0
1:0:1:2:1:1400:1800:0
2:0:1:2:1:1400:63000000:0
1:1:1:2:2:1400:1600:1
2:1:1:2:2:1400:63000006:1:9101:1:9102:2:9103:3:9104:4:9105:5:9106:6:9107:8:9110:9:9200:1
3:0:1:2:1:1390:1400:1:1:2:3:1720:1720:0:55001
3:0:1:1:1:100:110:0:1:2:1:2500:2600:128:5
1:1:1:2:2:1600:1610:0
2:1:1:2:2:1600:63000006:0
1:1:1:2:2:1610:1700:17
2:1:1:2:2:1610:63000001:1:63000002:64:9200:2
1:1:1:2:2:1700:2900:0
2:1:1:2:2:1700:63000001:0
1:1:1:2:3:1720:2300:13
2:1:1:2:3:1720:63000007:1:9200:3:9703:2:9704:1:9705:256:9707:1:9708:2
1:0:1:2:1:1800:2400:5
2:0:1:2:1:1800:63000000:1
1:0:1:1:1:1900:2300:0
2:0:1:1:1:1900:500:4
2:0:1:1:1:1900:500:0
1:0:1:1:1:2300:2900:14
1:1:1:1:2:2300:2900:14
1:1:1:1:3:2300:2900:14
2:1:1:1:3:2300:63000007:0:9703:0
1:1:1:2:3:2300:2900:0
2:1:1:2:3:2300:63000007:0:9703:0
1:0:1:2:1:2400:2900:0
2:0:1:2:1:2400:63000000:0
2:0:1:2:1:2900:500:4
2:0:1:2:1:2900:500:0
63000000 CUDA library call; 0 End; 1 cudaEventSynchronize; 2 cudaLaunchKernel_v7000; 3 cudaMemcpyAsync_v3020
63000006 CUDA kernel; 0 End; 1 axpy(float)
63000007 NCCL kernel; 0 End; 1 ncclDevKernel_Generic(args)
63000001 CUDA memcpy kernel; 0 End; 1 [CUDA memcpy HtoD]
9703 Collective
9704 Collective group; 1 group world
63000002 Memcopy size
9101 Kernel GrdX
9102 Kernel GrdY
9103 Kernel GrdZ
9104 Kernel BlkX
9105 Kernel BlkY
9106 Kernel BlkZ
9107 Kernel shared memory
9110 Kernel registers/thread
9200 Correlation ID
9702 Iteration
9705 Collective bytes in
9706 Collective bytes out
9707 Collective number in its group
9708 Collective group size
9710 Device memory allocated
9711 Device memory reserved
9712 Host memory allocated
500 Range; 0 End; 4 solve
501 Metric
main, CUDA-D0.S7, CUDA-D0.S9, power, main, CUDA-D0.S7, CUDA-D0.S9, power
a note
1 event of negative length left out; the first: odd
2 begins without an end, taken to end with the thread; the first: solve
1 event of negative length left out; the first: odd
2 begins without an end, taken to end with the thread; the first: solve
`; got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}
