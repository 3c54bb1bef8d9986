package charm_test

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
)

// wholeSTS and the logs have a record of each type, counters, and chares of the runtime system.
const (
	wholeSTS = `PROJECTIONS_ID
VERSION 11.0
PROCESSORS 2
CHARE 0 "Main" -1
CHARE 1 "Groups" -1
CHARE 2 "Array" 1
CHARE 3 "CkReductionMgr" -1
ENTRY CHARE 1 "Main(CkArgMsg* m)" 0 0
ENTRY CHARE 2 "put(int k)" 1 0
ENTRY CHARE 3 "go()" 2 0
ENTRY CHARE 4 "recvMsg" 3 0
EVENT 4 step
EVENT 9 solver part
STAT 3 speed
PAPI_EVENT 0 PAPI_TOT_INS
PAPI_EVENT 1 PAPI_L1_DCM
END
`
	whole0 = `PROJECTIONS-RECORD
6 10
14 12
15 20
2 4 1 20 -1 0 0 0 0 0 0 0 99 1000 50
1 3 2 25 7 0 64 3
21 24 3 26 8 0 32 0 2 1 1
22 30 5 12 solve_it
23 40 5
13 4 41
98 9 42
99 9 44
100 9 45 77
100 9 47 77
26 500 48
26 501
27 123456 49
28 50 4last
29 51 53 2 5hello
30 1 54
32 55 0 0.29 1 3
16 56
17 57
18 58
19 59
8 59
9 60
3 4 1 60 -1 0 0 120 1500 80
12 62
11 64
2 3 4 70 5 1 48 66 0 0 0 0 130 1600 90
4 4 71 6 1
3 3 4 80 5 1 48 140 1700 100
2 4 3 80 6 1 16 0 2 150 1700 100
3 4 3 90 6 1 16 160 1800 110
5 4 91 6 1
7 100
`
	whole1 = `PROJECTIONS-RECORD
6 0
1 3 4 10 5 1 48 2
1 1 3 20 6 1 16 1
10 1 2 30 7 0
2 1 2 35 7 0 64 33 0 0 0 0 0 1 1
3 1 2 40 7 0 64 0 5 5
2 1 3 41 8 0 32 0 0 0 5 5
3 1 3 45 8 0 32 0 6 6
7 90
`
)

// A run with records of all types, written as a .prv and a .pcf. PE 0 is idle from 12 to 20, runs Main until 60 with
// interruptions from 56 to 57 (packing), 58 to 59 (unpacking) and 59 to 60, is untraced from 62 to 64, and runs two
// units started by messages from PE 1: the first arrives at 66, the second is enqueued at 71.
func TestAllRecords(t *testing.T) {
	tr := open(t, write(t, wholeSTS, whole0, whole1))
	var trace, labels strings.Builder
	if err := prv.Write(context.Background(), &trace, tr); err != nil {
		t.Fatal(err)
	}
	if err := prv.WriteLabels(&labels, tr.Labels); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(trace.String(), "\n")
	if want := `
1:0:1:1:1:0:10:2
1:0:1:2:1:0:35:7
1:0:1:1:1:10:12:7
2:0:1:2:1:10:79000004:6:79000005:5:79000006:3:79000007:1
1:0:1:1:1:12:20:0
3:0:1:2:1:10:12:0:1:1:1:70:66:48:4
1:0:1:1:1:20:56:1
2:0:1:1:1:20:79000001:2:79000011:1:79000002:0:79001000:0:79001001:0
2:0:1:2:1:20:79000004:7:79000005:4:79000006:2:79000007:1
3:0:1:2:1:20:21:0:1:1:1:80:71:16:3
2:0:1:1:1:25:79000004:8:79000005:3:79000006:3:79000007:2
2:0:1:1:1:26:79000004:9:79000005:4:79000006:4:79000007:2
3:0:1:1:1:25:28:0:1:2:1:35:30:64:2
3:0:1:1:1:26:26:0:1:2:1:41:41:32:3
2:0:1:1:1:30:79000106:6
1:0:1:2:1:35:40:1
2:0:1:2:1:35:79000001:3:79000011:4:79000002:8:79000003:1:79001000:0:79001001:0
2:0:1:1:1:40:79000106:0
1:0:1:2:1:40:41:7
2:0:1:2:1:40:79001000:4:79001001:4
2:0:1:2:1:40:79000001:0
2:0:1:1:1:41:79000100:5
1:0:1:2:1:41:45:1
2:0:1:2:1:41:79000001:4:79000011:5:79000002:9:79000003:1:79001000:0:79001001:0
2:0:1:1:1:42:79000101:10
2:0:1:1:1:44:79000101:0
2:0:1:1:1:45:79000101:10
1:0:1:2:1:45:90:7
2:0:1:2:1:45:79001000:1:79001001:1
2:0:1:2:1:45:79000001:0
2:0:1:1:1:47:79000101:0
2:0:1:1:1:48:79000102:500
2:0:1:1:1:48:79000102:501
2:0:1:1:1:49:79000103:123456
2:0:1:1:1:50:79000104:1
2:0:1:1:1:51:79000104:2
2:0:1:1:1:53:79000104:0
2:0:1:1:1:54:79000105:2
2:0:1:1:1:55:79000203:29
1:0:1:1:1:56:57:15
1:0:1:1:1:57:58:1
1:0:1:1:1:58:59:15
1:0:1:1:1:59:60:15
1:0:1:1:1:60:62:7
2:0:1:1:1:60:79001000:500:79001001:30
2:0:1:1:1:60:79000001:0
1:0:1:1:1:62:64:14
1:0:1:1:1:64:70:7
1:0:1:1:1:70:80:1
2:0:1:1:1:70:79000001:5:79000011:2:79000012:1:79000002:6:79000003:2:79001000:100:79001001:10
2:0:1:1:1:71:79000008:7:79000003:2
1:0:1:1:1:80:90:1
2:0:1:1:1:80:79001000:100:79001001:10
2:0:1:1:1:80:79000001:0
2:0:1:1:1:80:79000001:4:79000011:3:79000002:7:79000003:2:79001000:0:79001001:0
1:0:1:1:1:90:100:7
2:0:1:1:1:90:79001000:100:79001001:10
2:0:1:1:1:90:79000001:0
1:0:1:2:1:90:100:2
2:0:1:1:1:91:79000009:7:79000003:2
`; body != strings.TrimPrefix(want, "\n") {
		t.Errorf("body: got\n%s\nwant%s", body, want)
	}
	if want := `
STATES
0    Idle
1    Running
2    Not created
7    Scheduling and Fork/Join
14    Tracing Disabled
15    Others


EVENT_TYPE
0    79000001    Entry method
VALUES
0      End
2      Main::Main
3      Groups::put
4      Array::go
5      CkReductionMgr::recvMsg


EVENT_TYPE
0    79000002    Message that started the entry
VALUES
0      none


EVENT_TYPE
0    79000003    PE that created it


EVENT_TYPE
0    79000004    Message created


EVENT_TYPE
0    79000005    Entry method of the message
VALUES
2      Main::Main
3      Groups::put
4      Array::go
5      CkReductionMgr::recvMsg


EVENT_TYPE
0    79000006    Kind of message
VALUES
1      new object
2      to an object
3      to a group
4      broadcast


EVENT_TYPE
0    79000007    PE that the message goes to
VALUES
0      several, or unknown


EVENT_TYPE
0    79000008    Message enqueued


EVENT_TYPE
0    79000009    Message dequeued


EVENT_TYPE
0    79000011    Object
VALUES
1      Main
2      CkReductionMgr
3      Array[2]
4      Groups
5      Array[0]


EVENT_TYPE
0    79000012    Entry of the runtime system
VALUES
1      yes


EVENT_TYPE
0    79000100    User event
VALUES
5      step
10      solver part


EVENT_TYPE
0    79000101    User event with a length
VALUES
0      End
5      step
10      solver part


EVENT_TYPE
0    79000102    Value given by the program


EVENT_TYPE
0    79000103    Memory in use (bytes)


EVENT_TYPE
0    79000104    Note
VALUES
0      End
1      last
2      hello


EVENT_TYPE
0    79000105    End of a phase


EVENT_TYPE
0    79000106    Function
VALUES
0      End
6      solve_it


EVENT_TYPE
0    79000203    speed
PRECISION 2


EVENT_TYPE
0    79001000    PAPI_TOT_INS


EVENT_TYPE
0    79001001    PAPI_L1_DCM


`; labels.String() != strings.TrimPrefix(want, "\n") {
		t.Errorf("labels: got\n%s\nwant%s", labels.String(), want)
	}
	if len(tr.Notes) > 0 {
		t.Errorf("notes: %v", tr.Notes)
	}
}
