package lockstep

// Agreement is one of the comparisons of subject and model: a property like those of package props, except that it needs the
// model to judge.
type Agreement struct {
	Name  string
	Rules []string
}

// Agreements are the comparisons: of the result of each operation, of each field of the state, and the drain.
var Agreements = []Agreement{
	{"result/add", []string{"PND-2", "PND-3", "ADV-4", "DET-4"}},
	{"result/promote", []string{"PND-4"}},
	{"result/enqueue", []string{"PND-5", "PRK-3"}},
	{"result/fill", []string{"FIL-1", "FIL-2", "FIL-3", "FIL-4", "SRC-1", "SRC-2", "SRC-3", "SRC-4", "PRK-2", "CON-1", "OUT-8", "DET-2"}},
	{"result/arrive", []string{"SEQ-1", "SEQ-2"}},
	{"result/answer", []string{"SEQ-2", "SEQ-3", "DET-4"}},
	{"result/busy", []string{"DET-1", "BSY-1", "BSY-3", "SEQ-2", "SEQ-3", "DET-4"}},
	{"result/outcome", []string{"OUT-1", "OUT-2", "OUT-3", "OUT-4", "OUT-6", "OUT-8", "SRC-2", "SEQ-2", "SEQ-3", "DET-4"}},
	{"result/depart", []string{"DEP-1", "DEP-3", "DEP-6"}},
	{"result/remove", []string{"PND-9"}},
	{"result/evict", []string{"PND-9"}},
	{"result/stop", []string{"OUT-8"}},
	{"result/ready", []string{"PND-10", "DET-3"}},
	{"result/drained", []string{"BOOT-1"}},
	{"result/request", []string{"RSP-1", "RSP-3", "RSP-4", "RSP-5", "RSP-7"}},
	{"result/take", []string{"RSP-2"}},
	{"result/release", []string{"RSP-1", "RSP-2"}},
	{"result/send_done", []string{"RSP-6"}},
	{"result/state", []string{"DET-3"}},
	{"state/clock", []string{"DET-3"}},
	{"state/next_place", []string{"SEQ-1"}},
	{"state/stopped", []string{"OUT-8"}},
	{"state/pending", []string{"PND-1", "PND-2", "PND-8", "PND-9", "PND-10", "ADV-1", "OUT-5", "DEP-1"}},
	{"state/heap", []string{"FIL-1", "FIL-2", "FIL-3", "DET-2"}},
	{"state/parked", []string{"PRK-1", "PRK-2", "FIL-2", "FIL-3", "OUT-3", "PRK-6"}},
	{"state/index", []string{"PRK-1", "PRK-4", "DEP-2"}},
	{"state/queued", []string{"PND-4", "PND-5", "PRK-4", "PRK-5", "ADV-2", "ADV-3", "DEP-2", "DEP-3", "SRC-1"}},
	{"state/in_flight", []string{"SEQ-1", "CON-9", "ADV-2", "ADV-3", "DEP-4", "OUT-2", "SRC-1"}},
	{"state/contact", []string{"CON-1", "CON-2", "CON-3", "CON-4", "CON-5", "CON-6", "CON-7", "CON-9", "CON-10", "OUT-6", "DEP-5"}},
	{"state/overflow_until", []string{"CON-8", "DET-4"}},
	{"state/busy", []string{"BSY-2", "BSY-3", "BSY-4", "BSY-5", "BSY-6", "DEP-5"}},
	{"state/reserved", []string{"PND-6", "PND-7"}},
	{"state/charges", []string{"PND-2", "PND-6", "PND-7", "DEP-1"}},
	{"state/counters", []string{"SUM-1"}},
	{"state/outstanding", []string{"RSP-1", "RSP-2"}},
	{"state/peers", []string{"RSP-1"}},
	{"state/tickets", []string{"RSP-1", "RSP-2"}},
	{"state/sends", []string{"RSP-6"}},
	{"state/limiter", []string{"RSP-5", "RSP-7", "DET-4"}},
	{"state/global_full_at", []string{"RSP-5", "DET-4"}},
	{Drained, []string{"LIV-2", "OUT-7", "PND-6", "DEP-3", "RSP-2"}},
}

// agreementRules are the rules that a comparison serves.
func agreementRules(name string) []string {
	for i := range Agreements {
		if Agreements[i].Name == name {
			return Agreements[i].Rules
		}
	}
	return nil
}
