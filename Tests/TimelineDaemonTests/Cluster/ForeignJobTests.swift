import Glibc
import Testing
import TimelineSystem
import TimelineTestSupport

/// Mistakes of a user for whom root's daemon runs jobs.
@Suite(
  .enabled(
    if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
struct `A job of another user` {
  private static let nobody: uid_t = 65534

  private static func job(_ name: String, _ plugin: String, _ more: String = "") -> String {
    "[job.\(name)]\nplugin = \"\(plugin)\"\nschedule = \(never)\n\(more)\n"
  }

  /// Compiles a plugin of the user's own, whose parameters are to have the schema.
  private static func compile(_ schema: String, in workshop: Workshop) throws {
    let text = schema.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let path = try workshop.compile(
      """
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance; (void)context;
        return TIMELINED_OK;
      }
      static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "own", .version = "1", .summary = "a", .run = run,
                                             .parameters_schema = "\(text)"};
      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) { (void)host; return &table; }
      """, name: "own")
    unsafe chown(path, nobody, nobody)
  }

  /// A pattern whose check takes far more than there are steps for.
  private static let costly =
    #"{"allOf": [\#((0..<100).map { #"{"pattern": "(a|b|a?){100}c\#($0)"}"# }.joined(separator: ", "))]}"#

  struct Row: Sendable {
    let schema: String
    let reason: String
  }

  static let rows = [
    Row(schema: #"{"properties": {"v": {"type": "integer"}}}"#, reason: "`with.v` is a string"),
    Row(schema: #"{"properties": {"v": \#(costly)}}"#, reason: "the parameters cannot be checked"),
    Row(schema: #"{"properties": {"v": {"format": "uri"}}}"#, reason: "`format` is not supported"),
  ]

  @Test(arguments: rows.indices)
  func `is refused alone if its plugin's schema refuses it, at the start and at a reload`(index: Int) throws {
    let row = Self.rows[index]
    let workshop = try Workshop()
    try workshop.compileGate()
    let with = "user = \"nobody\"\nwith = { v = \"\(String(repeating: "a", count: 400))\" }"
    func configure(_ more: String) throws {
      try workshop.configure(
        Self.job("own", workshop.path + "/own.so", with) + Self.job("held", "gate") + more)
    }
    try Self.compile(row.schema, in: workshop)
    try configure("")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.line(containing: "own", row.reason)
    #expect(try daemon.control("trigger", "held", "--wait").end == .exited(0))
    let run = try daemon.control("trigger", "own", "--wait")
    #expect(run.end == .exited(1) && (run.output + run.errors).contains(row.reason), "\(run)")
    #expect(try daemon.control("status").output.contains("own does not run: "))

    // The plugin is valid until its user changes it; the reload then still applies to the other jobs.
    try Self.compile("{}", in: workshop)
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.control("trigger", "own", "--wait").end == .exited(0))
    try Self.compile(row.schema, in: workshop)
    try configure(Self.job("coming", "gate"))
    let reload = try daemon.control("reload")
    #expect(reload.end == .exited(0) && reload.errors.contains(row.reason), "\(reload)")
    #expect(try daemon.control("trigger", "coming", "--wait").end == .exited(0))
    let again = try daemon.control("trigger", "own", "--wait")
    #expect(again.end == .exited(1) && (again.output + again.errors).contains(row.reason), "\(again)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is refused alone when its user removes the plugin or spoils it`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try Self.compile("{}", in: workshop)
    let own = workshop.path + "/own.so"
    try workshop.configure(Self.job("own", own, "user = \"nobody\"") + Self.job("held", "gate"))
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("trigger", "own", "--wait").end == .exited(0))
    #expect(unsafe unlink(own) == 0)
    try workshop.configure(
      Self.job("own", own, "user = \"nobody\"") + Self.job("held", "gate") + Self.job("coming", "gate"))
    let reload = try daemon.control("reload")
    #expect(reload.end == .exited(0) && reload.errors.contains("warning: own: "), "\(reload)")
    #expect(try daemon.control("trigger", "coming", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a check shows all that its plugin's schema refuses`() throws {
    let workshop = try Workshop()
    try Self.compile(#"{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#, in: workshop)
    let path = try workshop.configure(
      Self.job("own", workshop.path + "/own.so", "user = \"nobody\"\nwith = { a = 1, b = 2 }"))
    let checked = try StartedProgram.run([BuiltProgram.control, "check", path, "--host", BuiltProgram.host])
    #expect(checked.end == .exited(1), "\(checked)")
    for name in ["a", "b"] { #expect(checked.errors.contains("`with.\(name)` is an integer"), "\(checked)") }
  }
}
