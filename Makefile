# Everything the project does has a target here. CI runs the same ones.
GO       ?= go
TIME     ?= 30s
FUZZTIME ?= 10s

.PHONY: check test race lint fmt fuzz bench mutants rewrite clean

bin/fetchproof: FORCE
	$(GO) build -o $@ ./cmd/fetchproof
FORCE:

check: bin/fetchproof        ## the main job: corpus, wire vectors, random programs in lockstep, small scopes, the table of rules
	bin/fetchproof check -time $(TIME)

test:                        ## all tests
	$(GO) test ./...

race:                        ## all tests under the race detector
	$(GO) test -race ./...

lint:                        ## formatting, vet, staticcheck
	@unformatted=$$($(GO) -C tools tool gofumpt -l ..); if [ -n "$$unformatted" ]; then echo "not gofumpt-ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) -C tools build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck ./...

fmt:                         ## format everything
	$(GO) -C tools tool gofumpt -w ..

fuzz:                        ## each fuzz target in turn, for FUZZTIME
	@set -e; for target in $$($(GO) test ./fuzz -list '^Fuzz' | grep '^Fuzz'); do \
		echo "== $$target"; \
		$(GO) test ./fuzz -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x; \
	done

bench: bin/fetchproof        ## the scale benchmark against its thresholds, short form
	bin/fetchproof bench -short

mutants: bin/fetchproof      ## every named mutant, each by its own check alone
	bin/fetchproof mutate -named

rewrite:                     ## renew what is generated: citations, expectations of the corpus
	$(GO) test ./props/citations -rewrite
	$(GO) test ./corpus -rewrite

clean:
	rm -rf bin failures
