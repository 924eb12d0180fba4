extension PluginTemplate {
  /// A program in Python, which the bundled plugin `process` runs.
  static let python = PluginTemplate(files: [
    File(path: "@name@.py", text: source, isExecutable: true), File(path: "Makefile", text: makefile),
    File(path: "test.sh", text: test, isExecutable: true), File(path: "README.md", text: readme),
  ])

  private static let source = #"""
    #!/usr/bin/env -S python3 -I
    """Says a word, and counts its runs in the cursor. The plugin `process` of timelined runs it."""

    import json
    import select
    import signal
    import sys
    import time


    def say(**answer):
        """Prints one line of the protocol; anything else belongs to standard error."""
        print(json.dumps(answer), flush=True)


    def fail(text):
        say(error=text, status="failed")
        sys.exit()


    def is_cancelled():
        """Whether the line {"cancel": {}} has come, the only one after the first."""
        return bool(select.select([sys.stdin], [], [], 0)[0])


    # The line that asks the program to stop comes with SIGTERM, which would end it at once.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    run = json.loads(sys.stdin.buffer.raw.readline())["run"]
    word = run["parameters"].get("word")
    wait = run["parameters"].get("wait", 0)
    if not isinstance(word, str) or not word:
        fail("the parameter word is no text, or missing: give one in `parameters`")

    end = time.monotonic() + wait
    while (left := end - time.monotonic()) > 0:
        if is_cancelled():
            say(status="cancelled")
            sys.exit()
        say(progress=1 - left / wait, text="waiting")
        time.sleep(min(left, 0.1))

    count = (run["cursor"] or 0) + 1
    say(log=word, fields={"count": count})
    say(cursor=count)
    say(result=f"{word}, run {count}", status="ok")

    """#

  private static let makefile = """
    # The program that wrote this file, if there is none in PATH.
    TIMELINECTL ?= $(or $(shell command -v timelinectl),@timelinectl@)

    all:
    \t@echo "there is nothing to build: make test, or make install"

    install:
    \tinstall -D -m 755 @name@.py $(DESTDIR)/usr/local/bin/@name@.py

    test:
    \tTIMELINECTL="$(TIMELINECTL)" ./test.sh

    .PHONY: all install test

    """

  private static let test = #"""
    #!/bin/sh
    # Calls the program by the plugin `process`, in a plugin host and without a daemon. Needs no configuration.
    set -eu
    : "${TIMELINECTL:=timelinectl}"
    with() { printf '{"command": ["%s/@name@.py"], "parameters": %s}' "$PWD" "$1"; }

    echo "-- a run counts on from the cursor"
    $TIMELINECTL plugin test process --with "$(with '{"word": "tea"}')" --cursor 41 | tee test.out
    grep -q '^result *tea, run 42$' test.out
    grep -q '^cursor *42$' test.out
    rm test.out

    echo "-- parameters that make no sense are refused"
    $TIMELINECTL plugin test process --with "$(with '{"word": 7}')" --expect failed

    echo "-- a request to stop ends a long run"
    $TIMELINECTL plugin test process --with "$(with '{"word": "tea", "wait": 60}')" --cancel-after 500ms --expect cancelled

    echo "-- all that timelined expects of a plugin"
    $TIMELINECTL plugin conformance process --with "$(with '{"word": "tea"}')" --cancel-with "$(with '{"word": "tea", "wait": 60}')" \
      --runs 100

    """#

  private static let readme = #"""
    # @name@

    A program in Python that timelined runs by its plugin `process`. It says a word, counts its runs in the cursor, and can be asked to stop.

    | file | holds |
    |---|---|
    | `@name@.py` | the program |
    | `test.sh` | tests, which `make test` runs in a plugin host, without a daemon |

    ## Test, install

    ```sh
    make test
    sudo make install
    ```

    It needs Python 3.8 or later, and no package.

    ## Use

    ```toml
    [job.@name@]
    plugin   = "process"
    schedule = { periodic = { by = "1m" } }
    with     = { command = ["/usr/local/bin/@name@.py"], parameters = { word = "tea" } }
    ```

    | parameter | type | meaning |
    |---|---|---|
    | `word` | text, required | the word that is said |
    | `wait` | seconds, default 0 | how long a run takes |

    ## Where to go on

    - The first line on standard input is `{"run": {...}}`: job, run key, instants, cursor, parameters.
    - Each line of output is a JSON object with `log`, `progress`, `cursor`, `result`, `error` or `status`. The status comes last.
    - Print anything else to standard error. It goes to the log.
    - One process serves one run. The cursor, any JSON value, is what the next run knows of this one.

    share/doc/timelined/plugins.md has all keys.

    """#
}
