/// The files of a new plugin in one language, embedded in the program.
///
/// The plugins of all templates do the same: they count their runs in the cursor, and wait for some seconds or until
/// a stop request. `@name@` in a text stands for the name of the plugin.
struct PluginTemplate {
  /// A file of a plugin.
  struct File {
    /// Path below the plugin's directory.
    let path: String
    let text: String
    var isExecutable = false
  }

  /// The languages that have a template.
  enum Language: String, CaseIterable {
    case c, swift, rust, python

    var template: PluginTemplate {
      switch self {
      case .c: .c
      case .swift: .swift
      case .rust: .rust
      case .python: .python
      }
    }
  }

  let files: [File]

  /// The files of a plugin with this name, whose Makefile uses the program at `path` if there is none in PATH.
  func files(named name: String, by path: String) -> [File] {
    files.map { file in
      File(
        path: file.path.replacing("@name@", with: name),
        text: file.text.replacing("@name@", with: name).replacing("@timelinectl@", with: path),
        isExecutable: file.isExecutable)
    }
  }

  /// Makes the files of a plugin in a shared library; `build` are the lines of its Makefile that make `@name@.so`.
  init(sharedLibrary files: [File], language: String, needs: String, build: String, where place: String) {
    self.files =
      files + [
        File(path: "Makefile", text: Self.makefile(build)),
        File(path: "test.sh", text: Self.test, isExecutable: true),
        File(path: "README.md", text: Self.readme(language: language, needs: needs, where: place)),
      ]
  }

  init(files: [File]) {
    self.files = files
  }

  private static func makefile(_ build: String) -> String {
    """
    # The program that wrote this file, if there is none in PATH.
    TIMELINECTL ?= $(or $(shell command -v timelinectl),@timelinectl@)
    # Header and Swift kit: beside the program in a clone, or installed below its prefix.
    PLACE := $(dir $(realpath $(shell command -v $(firstword $(TIMELINECTL)))))
    TIMELINED_KIT ?= $(abspath $(firstword $(wildcard $(PLACE)kit $(PLACE)../share/timelined/kit /usr/share/timelined/kit /usr/local/share/timelined/kit)))

    \(build)

    # As root, for a daemon that runs as root: others must not be able to write to the library.
    install: @name@.so
    \tinstall -D -m 755 @name@.so $(DESTDIR)/usr/local/lib/timelined/plugins/@name@.so

    test: @name@.so
    \tTIMELINECTL="$(TIMELINECTL)" ./test.sh

    .PHONY: install test clean

    """
  }

  /// The test of a shared library: the plugin's work, and timelined's requirements for every plugin.
  private static let test = #"""
    #!/bin/sh
    # Calls the plugin in a plugin host, without a daemon. Needs no configuration.
    set -eu
    : "${TIMELINECTL:=timelinectl}"
    plugin=./@name@.so

    echo "-- a run counts on from the cursor"
    $TIMELINECTL plugin test $plugin --with '{"word": "tea"}' --cursor 41 | tee test.out
    grep -q '^result *tea, run 42$' test.out
    grep -q '^cursor *42$' test.out
    rm test.out

    echo "-- parameters that make no sense are refused"
    $TIMELINECTL plugin test $plugin --with '{"word": 7}' --expect failed

    echo "-- a request to stop ends a long run"
    $TIMELINECTL plugin test $plugin --with '{"word": "tea", "wait": 60}' --cancel-after 100ms --expect cancelled

    echo "-- all that timelined expects of a plugin"
    $TIMELINECTL plugin conformance $plugin --with '{"word": "tea"}' --cancel-with '{"word": "tea", "wait": 60}'

    """#

  private static func readme(language: String, needs: String, where place: String) -> String {
    #"""
    # @name@

    A plugin of timelined in \#(language). It says a word, counts its runs in the cursor, and can be asked to stop.

    | file | holds |
    |---|---|
    \#(place)
    | `test.sh` | tests, which `make test` runs in a plugin host, without a daemon |

    ## Build, test, install

    ```sh
    make            # builds @name@.so
    make test       # calls it, and checks all that timelined expects of a plugin
    sudo make install
    timelinectl plugin inspect /usr/local/lib/timelined/plugins/@name@.so
    ```

    \#(needs)

    ## Use

    ```toml
    [job.@name@]
    plugin   = "/usr/local/lib/timelined/plugins/@name@.so"
    schedule = { periodic = { by = "1m" } }
    with     = { word = "tea" }
    ```

    | parameter | type | meaning |
    |---|---|---|
    | `word` | text, required | the word that is said |
    | `wait` | seconds, 0 to 3600, default 0 | how long a run takes |

    ## Where to go on

    - `run` does the work of one entry. What it returns is the run's status: ok, failed, worth another try, or cancelled.
    - The schema says which parameters there are. `timelinectl check` holds configurations to it, and `timelinectl plugin inspect /usr/local/lib/timelined/plugins/@name@.so` shows it.
    - A long run asks from time to time whether it is to stop.
    - The cursor is kept together with the end of a successful run. Nothing else outlives the process for sure.

    `timelined_plugin.h` is the contract, and share/doc/timelined/plugins.md the guide.

    """#
  }
}
