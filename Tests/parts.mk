# parts.mk: the parts of `make test`, and what is to have passed before each: what it needs, or what must not run beside it. make runs as many
# beside each other as it has jobs. run.sh calls it and sums up; each part runs through part.sh, which has the limits and the log.

SHELL := /bin/bash
scripts := $(patsubst Tests/Integration/%.sh,%,$(wildcard Tests/Integration/[0-9]*.sh))
parts := format release tests bench web suites suites-busy suites-daemon $(scripts)
part := Tests/part.sh
# With the bundled plugins as they are released.
suites := env TIMELINED_TEST_PLUGINS=$(CURDIR)/.build/stage/plugins Tests/suites.sh

.PHONY: all list $(parts)

# In the order in which they begin: first what others need, then the longest parts, which mostly wait.
all: release tests web 87-takeover 88-limits suites-daemon suites 86-cluster 80-torture 32-web-views 31-web $(parts)

list: ; @printf '%s\n' $(parts)

# What is built. The release and the tests have a directory each, so that neither waits for the other's lock.
format: ; @$(part) $@ 300 make check-format
release: ; @$(part) $@ 1800 make build
# Most parts wait for the release: it has the processors to itself, and the compilation of the tests has scripts beside it that wait.
tests: release ; @$(part) $@ 1800 make tests
web: release ; @$(part) $@ 1800 make web
bench: release web ; @$(part) $@ 900 make -o build bench-program

# The Swift suites. Those whose loops are busy on purpose, and the daemon's own, with real jobs and real timeouts, have processes of their own.
busy := DeterminismTests|QuietTests|ForeignTasksTests|ParallelTests
daemon := TimelineDaemonTests
suites: tests release ; @$(part) $@ 1200 $(suites) --skip '$(busy)|$(daemon)'
suites-busy: tests suites-daemon suites ; @$(part) $@ 300 $(suites) --filter '$(busy)'
suites-daemon: tests release ; @$(part) $@ 600 $(suites) --filter '$(daemon)'

# The scripts. All try what was released; some need more, or what another script has made.
$(scripts): release
$(scripts): ; @$(part) $@ 300 Tests/Integration/$@.sh
23-fallback 25-examples 26-snippets 27-docc 65-soak: tests
31-web 32-web-views 35-deb 40-units 74-web-unit 77-printed: web
72-deb 73-clean-root: 35-deb
73-clean-root: 45-tarball
90-instructions: bench
# Their jobs are judged by the instants at which they run: not beside compilers.
80-torture 86-cluster: tests web bench
# `make run` builds nothing once all is built, but the stage counts as incomplete while it looks: after the scripts that use the stage.
50-make-run: release web bench $(filter-out 50-make-run,$(scripts))
# All three make packages in one directory.
45-tarball: 35-deb
46-image: 45-tarball
