package main

// docs/frameworks.md, with the table of policies.

import (
	_ "embed"
	"fmt"
	"strings"

	"pview/insight/frameworks"
)

//go:embed frameworks.md
var frameworksIntroduction string

// frameworksEnd follows the table of policies.
const frameworksEnd = `
The first batch of DAF has chunks of M/(n x0) tasks, x0 = (mu + sigma sqrt(n/2))/mu (1); the later ones of R/(n x), x =
(2 mu + sigma sqrt(n/2))/mu (2), R the tasks that are left. When chunks have reached the least size with which the
master can feed all workers, the rest goes out in chunks of that size; with ` + "`--tail lastN`" + `, in one more batch and a
chunk for each worker, as the thesis says it. ` + "`--variance iid`" + ` takes tasks for independent: the deviation of a chunk of
F tasks is sigma sqrt(F), not sigma F. A last batch with fewer tasks than workers has a chunk for each task, with
` + "`--leftover single`" + ` one chunk. The factors of FSC and DPF are the best of 0.1, 0.2 ... 1. *The run played again* decides
before each iteration from the earlier ones only.

## Pipeline

![A pipeline whose fourth stage is slow, and its replicas](frameworks-pipeline.svg)

| | |
| --- | --- |
| (1p) | Tr = tc + C; C = 0 for the last stage, m0 for asynchronous, m0 + lambda v for synchronous sends |
| dependent time | the slowest stage up to this one; with full buffers or synchronous sends, the slowest of all |
| replicas | U = 1/sum(1/Tr^k), each Tr^k with the acknowledgement to the manager |
| overlap | Tr = max(tg, U), tg = m0 async, 2 (m0 + lambda v) sync: the figure of the recommendation, and what the thesis measured |
| additive | (2p) Tr = tg + U + lambda v async, tg + U sync: as printed, conservative |
| items | T(K) = sum(Tr + lambda v) + (K-1) max(Tr) |

For a number of free processors the fastest stage is sought whose pace the slower ones can match within 5 %; r replicas
cost r processors, since the old process becomes the manager. Neighbouring stages whose computation together is within
the slowest stage's time can share a processor. A manager that shares its processor with a replica (3p) is modelled with
a time slice of 10 ms, and not validated.

## Verification

With ` + "`--simulate`" + ` the traced run is replayed in the simulator with the parameters of the model, one link out and one in for each process: it must come within 10 % of the measured time. Then programs
are made from the model and simulated: equal shares for each number of workers, items through the replicated stages.

| verdict | |
| --- | --- |
| confirmed | the simulated gain has the predicted sign, the time is within 10 % of the model's, and the index within 5 % of the least one simulated |
| weak | the sign is right, the rest is not |
| refuted | the simulated change has the other sign |
| nothing to confirm | the model does not hold and recommends nothing |
| unconfirmed | the model agrees with the simulator, but the parameters do not reproduce the run (most often: processes that share processors) |

The model has the median of the send calls as m0. Where the replay does not reproduce the run, but does with their mean
(of the master's sends, or of all), the mean is what the simulations have, and the verdict says so: some sends are held
up for long, and each further worker costs another of them. The report then has the number of workers that the model
recommends with the mean, if it holds with it. A master whose workers are pipelines is simulated as it is and with the
next step, a message with its items to each pipeline.

The report in json has the recommendations as findings too (rule FRAME): the gain over all iterations or items, verified
where the simulator confirms it, with the iterations or the slowest stage as evidence.

` + "`--simulated FILE`" + ` writes the simulated run, which opens beside the measured one.
`

// frameworksPage describes the models.
func frameworksPage() string {
	var b strings.Builder
	b.WriteString(generated + frameworksIntroduction + "\n| policy | | source |\n| --- | --- | --- |\n")
	for _, p := range frameworks.Policies() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Name, p.Doc, p.Source)
	}
	b.WriteString(frameworksEnd)
	return b.String()
}
