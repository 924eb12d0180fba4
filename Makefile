# What a person types. `make help` lists it; the two that matter are `make run` and `make test`.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Where `make install` puts things. Packagers set DESTDIR; systemd looks for units below /usr/local/lib and /usr/lib alike.
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib/timelined
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share/timelined
DOCDIR ?= $(PREFIX)/share/doc/timelined
EXAMPLESDIR ?= $(DOCDIR)/examples
MANDIR ?= $(PREFIX)/share/man
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
SYSCONFDIR ?= /etc
# Plugins of the administrator's own come first, whatever the prefix; the daemon finds the bundled ones beside its host.
PLUGINPATH := $(if $(filter /usr/local,$(PREFIX)),,/usr/local/lib/timelined/plugins)

SWIFT ?= swift
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/Daemon/TimelineLoading/Installation.swift)
# timelinectl is timelined by another name.
PRODUCTS := timelined timeline-host timeline-calendar timeline-store
# Static, so that the result runs where no Swift is installed.
# Without colors: for a terminal SwiftPM adds them to each call of the compiler, and so builds everything again.
# Without debugging information, which is stripped and takes a tenth of the time.
# With a section for each function of each module, those of packages too: the linker leaves out what nothing calls, which is 0.2 MB of timelined
# beside what Package.swift asks for. Without the second flag an object from before, without sections, would be kept.
SECTIONS := $(foreach flag,-function-sections -disable-incremental-llvm-codegen,-Xswiftc -Xfrontend -Xswiftc $(flag))
RELEASE := -c release --no-color-diagnostics --static-swift-stdlib -debug-info-format none $(SECTIONS)
# For tests: every check of a debug build, and what simulated lives go through optimized, see Package.swift. In a directory of its own, so that
# it is built beside the release and `swift test` does not build it again. Without debugging information, which takes a tenth of the time.
TESTS := --scratch-path .build/tests --no-color-diagnostics -debug-info-format none --disable-index-store
# What a release is made of, stripped and complete: `make install` copies from here and builds nothing.
STAGE := .build/stage
# Moves a new file to its place if it differs, so that a build that changes nothing replaces nothing that is in use.
PUT := packaging/put.sh
STATE := .state
# The web page's server, which is built by itself: only there is hummingbird a dependency, see Package.swift.
WEB_STAGE := .build/web/stage
# Puts the paths of this installation into a template.
FILL_IN = sed -e 's|@bindir@|$(BINDIR)|g' -e 's|@libdir@|$(LIBDIR)|g' -e 's|@datadir@|$(DATADIR)|g' \
  -e 's|@docdir@|$(DOCDIR)|g' -e 's|@plugins@|$(if $(PLUGINPATH), --plugins=-$(PLUGINPATH))|g'
# The pages that are installed, side by side: all but those about the tests of a clone.
PAGES := README.md CHANGELOG.md $(filter-out docs/promises.md,$(sort $(wildcard docs/*.md)))
# Changes the links of a page: to the page beside it, or to the place where a file is installed. What only a clone has loses its link.
RELINK = sed -E -e 's|\]\(\.\./|](|g' -e 's|\]\(docs/|](|g' -e 's|\]\(Sources/Plugins/bundled/Examples\)|]($(EXAMPLESDIR))|g' \
  -e 's|\]\(Sources/Base/CTimelinePlugin/include/|]($(INCLUDEDIR)/|g' -e 's|\]\(etc/|]($(DATADIR)/|g' \
  -e 's|\]\(systemd/timelined\.service\.in\)|]($(UNITDIR)/timelined.service)|g' \
  -e 's/\[([^]]*)\]\((Tests|CONTRIBUTING\.md|promises\.md)[^)]*\)/\1/g'
# Whether this installation is the running machine's: only then are its users made and its systemd told.
LIVE = [ -z "$(DESTDIR)" ] && [ -n "$(filter /usr /usr/local,$(PREFIX))" ] && [ "$$(id -u)" = 0 ] && [ -d /run/systemd/system ]

# What Debian 12 has to add to the Swift toolchain: to build, and besides to test.
BUILD_PACKAGES := binutils g++ git libcurl4-openssl-dev libical-dev libmd-dev libncurses-dev libpq-dev libseccomp-dev libsqlite3-dev libsystemd-dev libtomlplusplus-dev make pkg-config tzdata
# And to make packages, archive and image.
PACKAGE_PACKAGES := busybox-static ca-certificates debhelper dpkg-dev umoci xz-utils
TEST_PACKAGES := chromium debootstrap etcd-client etcd-server groff-base iproute2 iptables lintian openssl postgresql-15 python3 python3-dateutil python3-venv rustc systemd user-mode-linux util-linux valgrind

.PHONY: help run cluster web install-web web-test web-load test tests soak seeds torture cluster-torture fuzz bench bench-short bench-program bench-thresholds profile conformance build sample programs plugins kit check-format library-pages check-clone install deb tarball image uninstall clean deps test-deps deps-of-tests deps-of-packages toolchain varlink

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: $(if $(wildcard $(STAGE)/complete),build,sample) ## Install what is missing, build, and run the sample timelines here (Ctrl-C drains)
	@mkdir -p $(STATE)
	@echo "== timelined on etc/timelined.toml, its state in $(STATE); Ctrl-C drains and ends it"
	@echo "== in a second terminal: $(STAGE)/timelinectl --socket $(STATE)/control.sock status"
	@# On a terminal job control lets Ctrl-C reach the daemon alone, so that its exit status is ours and not make's.
	@if [ -t 0 ]; then set -m; run=; else run=exec; fi; \
	$$run $(STAGE)/timelined --config etc/timelined.toml --state $(STATE) --control $(STATE)/control.sock \
	  --plugins $(STAGE)/plugins --host $(STAGE)/timeline-host; exit $$?

cluster: build ## Show a cluster of three nodes and PostgreSQL here, for a minute (Ctrl-C ends it)
	@.ci/packages postgresql-15
	@Tests/Cluster/demonstrate.py $(STAGE)

test: test-deps toolchain ## Install what is missing, build, and run every test
	@Tests/run.sh

tests: deps toolchain ## Build the tests and what they try, with every check of a debug build
	@TIMELINED_CHECKED=1 $(SWIFT) build $(TESTS) --build-tests

torture: build ## Kill, freeze, starve and mislead a real daemon for SECONDS_=120, and judge it by the evidence of its jobs (SEED=N repeats)
	@Tests/Torture/test_checker.py && Tests/Torture/torture.py --seconds $(or $(SECONDS_),120) $(if $(SEED),--seed $(SEED))

cluster-torture: build ## Kill, freeze and cut off three nodes of a cluster and its store for SECONDS_=120, and judge them (STORE=etcd; SEED=N repeats); as root
	@.ci/packages iproute2 iptables $(if $(filter etcd,$(STORE)),etcd-client etcd-server,postgresql-15)
	@Tests/Cluster/test_judge.py && Tests/Cluster/cluster.py --store $(or $(STORE),postgresql) --seconds $(or $(SECONDS_),120) $(if $(SEED),--seed $(SEED))

soak: tests ## Simulate the engine on seeds that are new each time for SECONDS_=600, and shrink what fails
	@Tests/soak.sh $(or $(SECONDS_),600)

seeds: build tests ## Run simulations and tortures side by side on new seeds for MINUTES=20; shrinks or repeats what fails; as root with the cluster
	@[ "$$(id -u)" != 0 ] || .ci/packages etcd-client etcd-server iproute2 iptables postgresql-15
	@Tests/seeds.py --minutes $(or $(MINUTES),20)

fuzz: test-deps toolchain ## Fuzz the parsers with the address sanitizer on, put 20,000 rules to systemd and cronsim, 10,000 to dateutil, and 4,000 crontabs to cron
	@Tests/fuzz.sh

bench: test-deps build bench-program ## Measure speed beside its peers, ratios first; ROWS="rule merge" measures those alone, ROUNDS=5 times, BASE=COMMIT that commit too
	@Tests/Benchmarks/bench.py $(if $(BASE),--base '$(BASE)') $(ROWS)

bench-short: test-deps build bench-program ## Measure in three minutes what matters most, one round each, and list the goals that are not met; BASE=COMMIT that commit too
	@Tests/Benchmarks/bench.py --short $(if $(BASE),--base '$(BASE)') $(ROWS)

profile: test-deps build bench-program ## Show where the instructions of the hot paths go; Tests/Benchmarks/README.md reads it
	@Tests/Benchmarks/profiles.py

bench-thresholds: test-deps build bench-program ## Write anew how many instructions the hot paths may take: a tenth above today's
	@Tests/Benchmarks/instructions.py --renew

# After the release is built it is one more module and a link.
bench-program: build
	@$(SWIFT) build $(RELEASE) --product timeline-bench

conformance: build deps-of-tests ## Put nine questions about daylight saving to timelinectl, systemd, cronsim, croniter and APScheduler
	@.build/conformance/bin/python3 -c 'import apscheduler, croniter, cronsim' 2>/dev/null \
	  || { python3 -m venv .build/conformance && .build/conformance/bin/pip install --quiet --disable-pip-version-check \
	    apscheduler==3.11.3 croniter==7.0.0 cronsim==2.8; }
	@.build/conformance/bin/python3 Tests/conformance.py $(STAGE)/timelinectl

build: deps toolchain ## Build the static release: programs, plugins and header, ready to be installed
	@mkdir -p $(STAGE)/plugins $(STAGE)/completions
	@# First, so that a build that fails or is interrupted leaves no stage that counts as complete.
	@rm -f $(STAGE)/complete
	@# The plugins are a package of their own, built beside the programs. Completions are read by a shell and not run: without its line.
	@$(MAKE) --no-print-directory -j 2 programs plugins
	@for shell in bash zsh fish; do \
	  $(STAGE)/timelinectl --generate-completion-script $$shell > $(STAGE)/$$shell.new \
	    && sed -i '1{/^#!/d;}' $(STAGE)/$$shell.new && $(PUT) $(STAGE)/$$shell.new $(STAGE)/completions/$$shell || exit 1; done
	@$(STAGE)/timelinectl schema --config etc/empty.toml --plugins $(STAGE)/plugins --host $(STAGE)/timeline-host \
	  > $(STAGE)/schema.new && $(PUT) $(STAGE)/schema.new $(STAGE)/timelined.schema.json
	@$(MAKE) --no-print-directory kit
	@touch $(STAGE)/complete

# The kit for plugins in Swift, with the header: what `plugin new` builds with in a clone, and what is installed.
KIT = $(shell cd Sources/Base && find TimelinePluginKit CTimelinePlugin -type f ! -path '*.docc/*')
# $(call install-kit,DIRECTORY) makes it a package of its own, without floors.
install-kit = install -D -m 644 packaging/kit/Package.swift $(1)/Package.swift \
  && for file in $(KIT); do install -D -m 644 Sources/Base/$$file $(1)/Sources/$$file || exit 1; done
kit:
	@$(call install-kit,$(STAGE)/kit)

# What the sample needs and no more, which is a tenth of the time in a new clone: cluster stores are not among it. Where everything has been
# built, everything is built again, so that `make install` finds programs of one state of the sources.
sample: deps toolchain
	@mkdir -p $(STAGE)/plugins
	@rm -f $(STAGE)/complete
	@$(MAKE) --no-print-directory kit
	@$(MAKE) --no-print-directory -j 2 programs plugins PRODUCTS='$(filter-out timeline-store,$(PRODUCTS))'

programs: deps toolchain
	@umask 022; for product in $(PRODUCTS); do \
	  $(SWIFT) build $(RELEASE) --product $$product \
	    && strip -o $(STAGE)/$$product.new "$$($(SWIFT) build $(RELEASE) --show-bin-path)/$$product" \
	    && $(PUT) $(STAGE)/$$product.new $(STAGE)/$$product || exit 1; done
	@ln -sf timelined $(STAGE)/timelinectl

plugins: deps toolchain
	@# Whatever the programs leave of the processors is enough: they take longer.
	@nice Sources/Plugins/bundled/build.sh release $(STAGE)/plugins

web: deps toolchain ## Build timelined-web, the server of the web page, in .build/web/stage
	@TIMELINED_WEB=1 $(SWIFT) build $(RELEASE) --product timelined-web
	@mkdir -p $(WEB_STAGE)
	@strip -o $(WEB_STAGE)/timelined-web.new "$$($(SWIFT) build $(RELEASE) --show-bin-path)/timelined-web" \
	  && mv $(WEB_STAGE)/timelined-web.new $(WEB_STAGE)/timelined-web

install-web: $(WEB_STAGE)/timelined-web ## Install the server of the web page below PREFIX, beside `make install`; as root
	install -D -m 755 -t $(DESTDIR)$(BINDIR) $(WEB_STAGE)/timelined-web
	install -d $(DESTDIR)$(UNITDIR) $(DESTDIR)$(MANDIR)/man8
	$(FILL_IN) systemd/timelined-web.service.in > $(DESTDIR)$(UNITDIR)/timelined-web.service
	$(FILL_IN) Sources/Tools/timelined-web/timelined-web.8.in > $(DESTDIR)$(MANDIR)/man8/timelined-web.8
	chmod 644 $(DESTDIR)$(UNITDIR)/timelined-web.service $(DESTDIR)$(MANDIR)/man8/timelined-web.8
	install -D -m 644 -t $(DESTDIR)$(SYSUSERSDIR) systemd/sysusers.d/timelined-web.conf
	@if $(LIVE); then systemd-sysusers $(SYSUSERSDIR)/timelined-web.conf && systemctl daemon-reload \
	  && echo "next: write a token, see $(DOCDIR)/web.md, then \`systemctl enable --now timelined-web\`"; fi

$(WEB_STAGE)/timelined-web:
	@echo "the server of the web page has not been built yet: make web" >&2; exit 1

web-test: build web ## Try the web page in headless Chromium; pictures in .build/web/screens
	@.ci/packages chromium python3-venv
	@Tests/run.sh web web-views

web-load: build web ## A thousand hostile clients of the web page beside a daemon, SECONDS_=240 long: how late runs start
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT \
	  && python3 Tests/Web/load.py $(STAGE) $(WEB_STAGE)/timelined-web "$$scratch" $(or $(SECONDS_),240) $(NICE)

check-format: toolchain ## Say where the code is not formatted
	@$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

library-pages: tests ## Build the DocC pages of the Swift libraries in .build/pages
	@for library in TimelineCore TimelineClocks TimelineMachine TimelineFoundation TimelineTesting TimelinePluginKit; do \
	  Tests/docc.sh $$library .build/pages || exit 1; done

check-clone: ## Clone what is committed and try `make run` there, as a stranger would
	@Tests/Integration/clean-clone.sh

$(STAGE)/complete:
	@if [ -n "$${SUDO_USER:-}" ]; then \
	  echo "nothing has been built yet: run \`make build\` as $$SUDO_USER first, then \`sudo make install\`" >&2; exit 1; fi
	@$(MAKE) build

# Copies what `make build` made; as root it needs neither the toolchain nor the network.
install: $(STAGE)/complete ## Install below PREFIX (/usr/local); as root
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/plugins
	install -m 755 $(STAGE)/timelined $(DESTDIR)$(BINDIR)
	ln -sf timelined $(DESTDIR)$(BINDIR)/timelinectl
	install -m 755 $(STAGE)/timeline-host $(STAGE)/timeline-calendar $(STAGE)/timeline-store $(DESTDIR)$(LIBDIR)
	install -m 755 $(STAGE)/bundled.so $(DESTDIR)$(LIBDIR)
	find $(STAGE)/plugins -name '*.so' -type f -exec install -m 755 -t $(DESTDIR)$(LIBDIR)/plugins {} +
	find $(STAGE)/plugins -name '*.so' -type l -exec cp -Pf -t $(DESTDIR)$(LIBDIR)/plugins {} +
	install -d $(DESTDIR)$(DATADIR)
	cd $(STAGE)/plugins && ls *.so | install -m 644 /dev/stdin $(abspath $(DESTDIR)$(DATADIR))/bundled-plugins
	install -D -m 644 Sources/Base/CTimelinePlugin/include/timelined_plugin.h $(DESTDIR)$(INCLUDEDIR)/timelined_plugin.h
	install -d $(DESTDIR)$(UNITDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man8
	$(FILL_IN) systemd/timelined.service.in > $(DESTDIR)$(UNITDIR)/timelined.service
	$(FILL_IN) Sources/Tools/timelinectl/timelinectl.1.in > $(DESTDIR)$(MANDIR)/man1/timelinectl.1
	$(FILL_IN) Sources/Tools/timelined/timelined.8.in > $(DESTDIR)$(MANDIR)/man8/timelined.8
	chmod 644 $(DESTDIR)$(UNITDIR)/timelined.service $(DESTDIR)$(MANDIR)/man1/timelinectl.1 $(DESTDIR)$(MANDIR)/man8/timelined.8
	install -m 644 systemd/timelined.socket $(DESTDIR)$(UNITDIR)
	install -D -m 644 systemd/sysusers.d/timelined.conf $(DESTDIR)$(SYSUSERSDIR)/timelined.conf
	install -D -m 644 systemd/tmpfiles.d/timelined.conf $(DESTDIR)$(TMPFILESDIR)/timelined.conf
	install -d $(DESTDIR)$(DATADIR)/drop-ins $(DESTDIR)$(DOCDIR)
	install -m 644 systemd/drop-ins/*.conf $(DESTDIR)$(DATADIR)/drop-ins
	install -m 644 etc/timelined.toml $(STAGE)/timelined.schema.json $(DESTDIR)$(DATADIR)
	install -D -m 644 -t $(DESTDIR)$(DATADIR)/monitoring etc/monitoring/*
	install -m 644 LICENSE packaging/NOTICE $(DESTDIR)$(DOCDIR)
	install -D -m 644 -t $(DESTDIR)$(EXAMPLESDIR) Sources/Plugins/bundled/Examples/*/*
	$(call install-kit,$(DESTDIR)$(DATADIR)/kit)
	for page in $(PAGES); do $(RELINK) $$page > $(DESTDIR)$(DOCDIR)/$${page##*/} || exit 1; done
	chmod 644 $(addprefix $(DESTDIR)$(DOCDIR)/,$(notdir $(PAGES)))
	install -m 644 docs/*.svg docs/*.png $(DESTDIR)$(DOCDIR)
	install -D -m 644 $(STAGE)/completions/bash $(DESTDIR)$(BASHDIR)/timelinectl
	install -D -m 644 $(STAGE)/completions/zsh $(DESTDIR)$(ZSHDIR)/_timelinectl
	install -D -m 644 $(STAGE)/completions/fish $(DESTDIR)$(FISHDIR)/timelinectl.fish
	install -d $(DESTDIR)$(SYSCONFDIR)/timelined/jobs.d
	[ -e $(DESTDIR)$(SYSCONFDIR)/timelined/timelined.toml ] \
	  || { $(FILL_IN) etc/empty.toml > $(DESTDIR)$(SYSCONFDIR)/timelined/timelined.toml \
	    && chmod 644 $(DESTDIR)$(SYSCONFDIR)/timelined/timelined.toml; }
	@if $(LIVE); then \
	  systemd-sysusers $(SYSUSERSDIR)/timelined.conf && systemd-tmpfiles --create $(TMPFILESDIR)/timelined.conf \
	    && systemctl daemon-reload && if systemctl is-active --quiet timelined; \
	      then echo "next: \`systemctl restart timelined\`, for the one that runs is the one from before"; \
	      else echo "next: \`systemctl enable --now timelined\`"; fi; fi

deb: build deps-of-packages ## Make the Debian packages in .build/packages, without root
	@packaging/deb.sh $(VERSION) .build/packages

tarball: build deps-of-packages ## Make an archive with an installer in .build/packages, for any Linux with glibc 2.35 or later
	@packaging/tarball.sh $(VERSION) .build/packages

image: build deps-of-packages ## Make a container image (OCI archive) in .build/packages, without a daemon and without root
	@packaging/image.sh $(VERSION) .build/packages

uninstall: ## Remove what install put there, but for the configuration and the state
	@if $(LIVE); then \
	  systemctl disable --now timelined-web.service || true; \
	  systemctl disable --now timelined.service timelined.socket || true; fi
	rm -f $(DESTDIR)$(BINDIR)/timelined-web $(DESTDIR)$(UNITDIR)/timelined-web.service
	rm -f $(DESTDIR)$(SYSUSERSDIR)/timelined-web.conf $(DESTDIR)$(MANDIR)/man8/timelined-web.8
	rm -f $(DESTDIR)$(BINDIR)/timelined $(DESTDIR)$(BINDIR)/timelinectl
	rm -f $(DESTDIR)$(INCLUDEDIR)/timelined_plugin.h $(DESTDIR)$(MANDIR)/man1/timelinectl.1 $(DESTDIR)$(MANDIR)/man8/timelined.8
	rm -f $(DESTDIR)$(UNITDIR)/timelined.service $(DESTDIR)$(UNITDIR)/timelined.socket
	rm -f $(DESTDIR)$(SYSUSERSDIR)/timelined.conf $(DESTDIR)$(TMPFILESDIR)/timelined.conf
	rm -f $(DESTDIR)$(BASHDIR)/timelinectl $(DESTDIR)$(ZSHDIR)/_timelinectl $(DESTDIR)$(FISHDIR)/timelinectl.fish
	@# Plugins of the administrator's own may lie beside ours: only what was installed goes.
	[ ! -e $(DESTDIR)$(DATADIR)/bundled-plugins ] \
	  || (cd $(DESTDIR)$(LIBDIR)/plugins && xargs -r rm -f) < $(DESTDIR)$(DATADIR)/bundled-plugins
	rm -f $(DESTDIR)$(LIBDIR)/timeline-host $(DESTDIR)$(LIBDIR)/timeline-calendar $(DESTDIR)$(LIBDIR)/timeline-store $(DESTDIR)$(LIBDIR)/bundled.so
	-rmdir $(DESTDIR)$(LIBDIR)/plugins $(DESTDIR)$(LIBDIR) 2>/dev/null
	rm -rf $(DESTDIR)$(DATADIR) $(DESTDIR)$(DOCDIR) $(DESTDIR)$(EXAMPLESDIR)
	@if $(LIVE); then systemctl daemon-reload; fi
	@echo "left alone: $(SYSCONFDIR)/timelined, /var/lib/timelined, /run/timelined and the user timelined"

clean: ## Remove what was built, and the state of `make run`
	rm -rf .build $(STATE)

deps:
	@.ci/packages $(BUILD_PACKAGES)

test-deps: varlink

deps-of-tests:
	@.ci/packages $(BUILD_PACKAGES) $(PACKAGE_PACKAGES) $(TEST_PACKAGES)

deps-of-packages:
	@.ci/packages $(PACKAGE_PACKAGES)

# Somebody else's Varlink client, in a place of its own. Without a network its test says that it is skipped.
varlink: deps-of-tests
	@.build/varlink/bin/python3 -c 'import varlink' 2>/dev/null \
	  || { python3 -m venv .build/varlink \
	    && .build/varlink/bin/pip install --quiet --disable-pip-version-check varlink==31.0.0; } \
	  || echo "PyPI's varlink could not be had: its test is skipped" >&2

toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "no Swift toolchain in PATH: install Swift 6.3 from https://www.swift.org/install/linux" >&2; exit 1; }
