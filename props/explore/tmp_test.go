package explore
import ("testing";"os";"fetchproof/props/subject")
func TestTmp(t *testing.T) {
	scopes, err := Scopes()
	if err != nil { t.Fatal(err) }
	for _, s := range scopes {
		if s.Large != (os.Getenv("LARGE")!="") { continue }
			r, err := Run(t.Context(), s, Options{Subject: subject.BuiltinFactory, Graph: true, MaxStates: 4000000})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-24s complete %t merged %d raw %d steps %d transitions %d depth %d rate %d cpu %s", s.Name, r.Complete, r.Merged, r.States, r.Steps, r.Transitions, r.Depth, r.Rate(), r.CPU)
			if r.Found != nil {
				t.Error(r.Found.Failure.Text(), r.Found.Program.Scenario().String())
				continue
			}
			l, err := CheckLiveness(r)
			if err != nil { t.Log(err); continue }
			if l.Found != nil { t.Error(l.Found.What, l.Found.Program.Scenario().String()) }
			t.Logf("   bound %d", l.Bound)
	}
}
