import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineTrial

@Suite struct `The conformance of plugins` {
  /// A plugin that breaks one sentence of the header.
  struct Case: CustomTestStringConvertible, Sendable {
    var failed: [ConformanceCheck]
    /// C before the table: functions of it.
    var code = ""
    /// Members of the table beside the usual ones.
    var members = ""
    /// The result of the entry function.
    var entry = "&table"
    var words: [String] = []
    var testDescription: String { "\(failed.map(\.rawValue)) \(members) \(code.prefix(60))" }

    /// A library with one plugin.
    var source: String {
      """
      #include <pthread.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <sys/socket.h>
      #include <sys/un.h>
      #include <timelined_plugin.h>
      #include <unistd.h>
      #define ARGUMENTS (void *instance, const timelined_context *context)
      \(code.contains(" run ") ? "" : "static timelined_status run ARGUMENTS { (void)instance; (void)context; return TIMELINED_OK; }")
      \(code)
      #pragma GCC diagnostic ignored "-Woverride-init"
      static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "plugin", .version = "1", .summary = "a", .run = run, \(members)};
      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) { (void)host; (void)table; return \(entry); }
      """
    }
  }

  /// Runs the checks, and returns the failed ones and the output.
  private func failures(of path: String, _ words: [String]) throws -> (failed: [String], output: String) {
    struct Line: Decodable {
      var check: String
      var verdict: String
    }
    let answer = try StartedProgram.run(
      [BuiltProgram.control, "plugin", "conformance", path, "--host", BuiltProgram.host, "--json"]
        + ["--runs", "100", "--call-timeout", "2s", "--grace", "1s"] + words)
    let lines = try answer.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.map(\.check) == ConformanceCheck.allCases.map(\.rawValue))
    let failed = lines.filter { $0.verdict == "failed" }.map(\.check)
    #expect(answer.end == .exited(failed.isEmpty ? 0 : 1), "\(answer)")
    return (failed, answer.output + answer.errors)
  }

  static let schema =
    #".parameters_schema = "{\"required\": [\"a\"], \"properties\": {\"a\": {\"type\": \"string\"}}}""#

  @Test(arguments: [
    Case(failed: []),
    Case(failed: [.entryPoint], entry: "NULL"),
    Case(failed: [.tableSize], members: ".struct_size = 12"),
    Case(failed: [.abi], members: ".abi_oldest = 8, .abi_newest = 9"),
    Case(failed: [.reserved], members: ".reserved = 1"),
    Case(failed: [.runFunction], members: ".run = NULL"),
    Case(failed: [.texts], members: #".name = "two words""#),
    Case(failed: [.texts], members: ".version = NULL"),
    Case(failed: [.texts], members: ".summary = NULL"),
    Case(failed: [.schema], members: #".parameters_schema = "{\"format\": \"date\"}""#),
    Case(failed: [.schema], members: #".parameters_schema = "[""#),
    Case(
      failed: [.schema], code: "static const char blanks[40000] = {[0 ... 39998] = ' '};",
      members: ".parameters_schema = blanks"),
    Case(
      failed: [.open, .saysWhy],
      code:
        "static timelined_status open_it(const timelined_opening *o, void **i) { (void)o; (void)i; return 1; }",
      members: ".open = open_it"),
    Case(
      failed: [.knownStatus, .saysWhy],
      code: "static timelined_status run ARGUMENTS { (void)instance; (void)context; return 7; }"),
    Case(
      failed: [.memory],
      code: """
        static timelined_status run ARGUMENTS {
          (void)instance; (void)context;
          volatile char *kept = malloc(50000);
          for (int place = 0; place < 50000; place += 1000) kept[place] = 1;
          return TIMELINED_OK;
        }
        """),
    Case(
      failed: [.descriptors],
      code: "static timelined_status run ARGUMENTS { (void)instance; (void)context; return dup(2) < 0; }"),
    Case(
      failed: [.threads],
      code: """
        static void *rest(void *nothing) { pause(); return nothing; }
        static timelined_status run ARGUMENTS {
          (void)instance; (void)context;
          pthread_t thread;
          return pthread_create(&thread, NULL, rest, NULL);
        }
        """),
    Case(
      failed: [.staleCalls],
      code: """
        static const timelined_host *host_of_run;
        static void *speak(void *call) {
          usleep(20000);
          host_of_run->log(call, TIMELINED_INFO, "late", NULL);
          return NULL;
        }
        static timelined_status run ARGUMENTS {
          (void)instance;
          pthread_t thread;
          host_of_run = context->host;
          if (pthread_create(&thread, NULL, speak, context->call) != 0) return TIMELINED_FAIL(context, "no thread");
          pthread_detach(thread);
          return TIMELINED_OK;
        }
        """),
    Case(
      failed: [.close], code: "static void end_it(void *instance) { (void)instance; abort(); }",
      members: ".close = end_it"),
    Case(
      failed: [.reopen, .instances],
      code: """
        static timelined_status open_it(const timelined_opening *opening, void **instance) {
          static int count;
          (void)instance;
          return count++ == 0 ? TIMELINED_OK : TIMELINED_FAIL(opening, "only once");
        }
        """, members: ".open = open_it, .instances_max = 4"),
    Case(
      failed: [.end],
      code:
        "static void leave(void) { _exit(3); } __attribute__((constructor)) static void enter(void) { atexit(leave); }"
    ),
    Case(
      failed: [.cancel],
      code: """
        static timelined_status run ARGUMENTS {
          (void)instance;
          bool stays = false;
          context->host->parameter_boolean(context->parameters, "/stays", &stays);
          while (stays) pause();
          return TIMELINED_OK;
        }
        """, words: ["--cancel-with", #"{"stays": true}"#]),
    Case(failed: [.refusesParameters], members: schema),
    Case(
      failed: [.twoHosts],
      code: """
        static timelined_status open_it(const timelined_opening *opening, void **instance) {
          struct sockaddr_un name = {.sun_family = AF_UNIX};
          snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "plugin of %d", (int)getppid());
          static int file = -1;
          (void)instance;
          if (file < 0) file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
          static int is_bound;
          if (!is_bound && bind(file, (struct sockaddr *)&name, sizeof name) != 0)
            return TIMELINED_FAIL(opening, "another one is there");
          is_bound = 1;
          return TIMELINED_OK;
        }
        """, members: ".open = open_it"),
  ])
  func `a plugin that breaks a sentence of the header fails its check`(example: Case) throws {
    let workshop = try Workshop()
    let (failed, output) = try failures(of: workshop.compile(example.source), example.words)
    #expect(failed == example.failed.map(\.rawValue), "\(output)")
  }

  @Test(
    arguments: [
      ("steady", []), ("missing-entry", [.entryPoint]), ("missing-symbol", [.loads]), ("wrong-abi", [.abi]),
      ("crash-at-load", [.loads]), ("crash-in-open", [.open, .cancel]), ("crash", [.runReturns, .cancel]),
      ("abort", [.runReturns, .cancel]), ("exit", [.runReturns, .cancel]), ("hang", [.runReturns, .cancel]),
      ("busy", [.runReturns, .cancel]), ("leak", [.memory]), ("slow-open", [.open, .cancel]),
      ("close-socket", [.runReturns, .cancel]), ("close-all", [.runReturns, .cancel]),
    ] as [(String, [ConformanceCheck])])
  func `a broken plugin fails its checks, nothing more`(plugin: String, expected: [ConformanceCheck]) throws {
    let workshop = try Workshop()
    let path = try workshop.compile(directory: "Tests/BrokenPlugins/\(plugin)")
    let (failed, output) = try failures(of: path, [])
    #expect(failed == expected.map(\.rawValue), "\(output)")
  }

  @Test func `the page lists every check with its sentence`() throws {
    let page = try String(contentsOfFile: "\(sourceRoot)/docs/plugins.md", encoding: .utf8)
    let rows = ConformanceCheck.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |" }
    #expect(page.contains(rows.joined(separator: "\n")), "\(rows.joined(separator: "\n"))")
  }
}
