package model

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed RULES.md
var rulesText string

// Rule is a rule of RULES.md.
type Rule struct {
	Name    string // such as CON-2
	Section string // the heading that it stands under
}

var ruleLine = regexp.MustCompile("^- `([A-Z]+-[0-9]+)` ")

// Rules are the rules of RULES.md, in its order.
func Rules() []Rule {
	var rules []Rule
	section := ""
	for line := range strings.Lines(rulesText) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(heading)
		}
		if m := ruleLine.FindStringSubmatch(line); m != nil {
			rules = append(rules, Rule{m[1], section})
		}
	}
	return rules
}
