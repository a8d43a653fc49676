package scheduler

import (
	"cmp"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
)

//go:embed *.go
var files embed.FS

func source(t *testing.T, file string) string {
	t.Helper()
	text, err := files.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// structures tells what the queue holds, as doc.go writes it.
func (f *fix) structures() string {
	keyed := func(id uint32) string {
		name := "-"
		if k := f.key(id); k.stage >= stagePending {
			name = fmt.Sprintf("k%d", f.detail(id).name[31])
		}
		return fmt.Sprintf("%s/%d", name, id)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "backlog %s", f.texts(f.backlog.all(), func(id uint32) string {
		if k := f.key(id); !k.parked {
			return fmt.Sprintf("%s#%d", keyed(id), k.since)
		}
		return keyed(id) + f.sec(Time(f.key(id).since))
	}))
	fmt.Fprintf(&b, "  parkedThrough #%d  epochs [", f.parkedThrough)
	for i, e := range f.epochs {
		fmt.Fprintf(&b, "%s#%d%s", strings.Repeat(" ", min(i, 1)), e.through, f.sec(e.at))
	}
	fmt.Fprintf(&b, "]  heap %d  parked %d\n", f.heapKeys, f.parkedKeys)
	for _, p := range f.ids("AB") {
		can := map[bool]string{true: "can", false: "full"}[f.hot[p].can]
		fmt.Fprintf(&b, "%c %s %s  ", f.peers[p].name[0], can, f.texts(f.lists[p].all(), func(id uint32) string {
			if f.key(id).filed {
				return keyed(id)
			}
			return "(" + keyed(id) + ")"
		}))
	}
	var ready []string
	for _, p := range f.ready {
		ready = append(ready, fmt.Sprintf("%c by %s", f.peers[p].name[0], keyed(f.peers[p].front)))
	}
	fmt.Fprintf(&b, "ready %s  startable %d  openAssoc %d  free %d\n", ready, f.startable, f.openAssoc, f.freeKeys)
	return b.String()
}

// sec is a time that is a whole number of seconds.
func (f *fix) sec(t Time) string { return fmt.Sprintf("@%ds", time.Duration(t)/time.Second) }

// texts lists ids in brackets, nearest first.
func (f *fix) texts(ids []uint32, text func(id uint32) string) string {
	var all []string
	for _, id := range slices.SortedFunc(slices.Values(ids), func(a, b uint32) int {
		return cmp.Or(f.compareNearness(a, b), cmp.Compare(a, b))
	}) {
		all = append(all, text(id))
	}
	return "[" + strings.Join(all, " ") + "]"
}

// ids are the ids of the peers that have one.
func (f *fix) ids(names string) (out []uint32) {
	for _, p := range peers(names) {
		if id := f.findPeer(&p, f.names.Of(p[:])); id != none {
			out = append(out, id)
		}
	}
	return out
}

// TestDocExample runs the worked example of doc.go: after each step the queue
// holds what stands there.
func TestDocExample(t *testing.T) {
	f := newFix(t, nil)
	var got strings.Builder
	for _, step := range []struct {
		at   int // seconds
		text string
		do   func()
	}{
		{0, "enqueue k1, k2, k3 from A: each joins the backlog with a stamp; A can start", func() {
			f.put(1, "A")
			f.put(2, "A")
			f.put(3, "A")
		}},
		{1, "fill: k1 starts, A is full, nothing can start: all of the backlog is parked together", func() { f.fill("1A#1") }},
		{2, "enqueue k4 from B, fill: k2 is examined and filed; a sweep parks k3 and finds k4, which starts", func() {
			f.put(4, "B")
			f.fill("4B#2")
		}},
		{2, "merge B into k2: a filed key is filed under the new source at once", func() {
			if r := f.Add(f.now, key(2), hints("B")); r != AlreadyPresent {
				t.Fatal(r)
			}
		}},
		{3, "outcome of k4, stored: its id is free; B wakes, and is in ready by its filed key", func() {
			f.ends(2, OutcomeStored, true, "left 4 stored")
		}},
		{3, "fill: k2 starts at B; its list entries stay behind, dead", func() { f.fill("2B#4") }},
		{4, "outcome of k2, not found: parked for A, by a fresh id, for dead entries name the old one", func() {
			f.ends(4, OutcomeNotFound, true, "park 2, application-failure")
		}},
		{5, "outcome of k1, stored: A wakes; fill: k2 is nearer than k3, and starts; k3 has to wait", func() {
			f.ends(1, OutcomeStored, true, "left 1 stored")
			f.fill("2A#7")
		}},
		{6, "enqueue k5 from B, fill: k3 is examined and filed on the way to k5, which starts", func() {
			f.put(5, "B")
			f.fill("5B#8")
		}},
		{7, "outcome of k2, stored: A wakes, and dead entries in front of its list go; B's names id 1 still", func() {
			f.ends(7, OutcomeStored, true, "left 2 stored")
		}},
		{8, "depart A, B: their lists go; k3 has no source left and leaves; k5 flies on", func() {
			f.events(f.Depart(f.now, peer('A'), nil), "left 3 orphaned")
			f.events(f.Depart(f.now, peer('B'), nil), "")
		}},
	} {
		f.now = Time(step.at) * Time(time.Second)
		step.do()
		if err := f.SelfCheck(); err != nil {
			t.Fatalf("%s: %v", step.text, err)
		}
		for i, line := range strings.Split(strings.TrimSpace(f.sec(f.now)+" "+step.text+"\n"+f.structures()), "\n") {
			fmt.Fprintf(&got, "//\t%s%s\n", strings.Repeat("    ", min(i, 1)), line)
		}
	}
	if !strings.Contains(source(t, "doc.go"), "\n//\n"+got.String()+"//\n") {
		t.Errorf("doc.go has another example than this:\n%s", got.String())
	}
}

// TestDocNames: what doc.go names by an identifier of two words or more, a test
// or a file, there is.
func TestDocNames(t *testing.T) {
	all, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, file := range all {
		known[file.Name()] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), source(t, file.Name()), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				known[id.Name] = true
			}
			return true
		})
	}
	named := regexp.MustCompile(`\b([a-z_]+\.go|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\b`).FindAllString(source(t, "doc.go"), -1)
	for _, name := range named {
		if !known[name] {
			t.Errorf("doc.go names %s, which is not in the package", name)
		}
	}
	if len(named) < 40 {
		t.Errorf("doc.go names only %v", named)
	}
}

// TestDocSizes: the records have the sizes that doc.go says.
func TestDocSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("doc.go speaks of a machine of 64 bits")
	}
	for name, size := range map[string]uintptr{
		"keyRec": unsafe.Sizeof(keyRec{}), "keyDetail": unsafe.Sizeof(keyDetail{}), "entryRec": unsafe.Sizeof(entryRec{}),
		"peerRec": unsafe.Sizeof(peerRec{}), "peerHot": unsafe.Sizeof(peerHot{}), "list": unsafe.Sizeof(list{}),
		"tableSlot": unsafe.Sizeof(tableSlot{}),
	} {
		if want := fmt.Sprintf("%s %d", name, size); !strings.Contains(source(t, "doc.go"), want) {
			t.Errorf("doc.go does not say %q", want)
		}
	}
}
