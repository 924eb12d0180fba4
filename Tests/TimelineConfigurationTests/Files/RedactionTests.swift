import Testing
import TimelineCore

@testable import TimelineConfiguration

/// Diagnostics for readers who may not read the files that they are about.
@Suite struct RedactionTests {
  private static let main = """
    [holidays.given]
    file = "/days"
    [job.one]
    plugin = "exec"
    schedule = { cron = "0 6 * * *", except = ["holidays given"] }
    """
  /// A second job of the same name, and values that messages quote.
  private static let jobs = """
    [job.one]
    plugin = "hunter2"
    schedule = { corn = "hunter2" }
    hunter2 = 1
    time-zone = "hunter2"
    """

  private static func diagnostics(arePrivate: Bool) -> [Diagnostic] {
    var context = ConfigurationContext(pluginNames: ["exec"], zone: { _ in nil })
    context.file = { _ in .success(Array("hunter2\n".utf8)) }
    context.isPrivate = { _ in arePrivate }
    var jobs = ConfigurationSource(path: "jobs.toml", bytes: Array(jobs.utf8))
    jobs.isPrivate = arePrivate
    let main = ConfigurationSource(path: "daemon.toml", bytes: Array(main.utf8))
    guard case .failure(let refusal) = Configuration.read([main, jobs], in: context) else { return [] }
    return refusal.diagnostics
  }

  @Test func `a redacted diagnostic has the place in a private file, and nothing of the file`() {
    let all = Self.diagnostics(arePrivate: true)
    let texts = all.map { $0.redacted.text() }
    #expect(all.count > 4 && texts.allSatisfy { !$0.contains("hunter2") }, "\(texts)")
    for (diagnostic, text) in zip(all, texts) where diagnostic.place.isPrivate {
      #expect(
        text
          == "\(diagnostic.place.description): error: the fault is not shown, because not everybody may read \(diagnostic.place.path): run `timelinectl check` as a user who may\n"
      )
    }
    #expect(all.contains { $0.text().contains("hunter2") }, "a check shows it")
  }

  @Test func `a diagnostic of a public file stays as it is`() {
    for diagnostic in Self.diagnostics(arePrivate: false) { #expect(diagnostic.redacted == diagnostic) }
  }

  @Test func `a note about a private file keeps its place alone`() {
    let note = SourcePlace(path: "jobs.toml", line: 2, column: 3, length: 7, lineText: "  hunter2")
    var hidden = note
    hidden.isPrivate = true
    let place = SourcePlace(path: "daemon.toml", line: 1, column: 1, length: 1, lineText: "a")
    let diagnostic = Diagnostic(
      place: place, message: "wrong", notes: [Diagnostic.Note(message: "the first is here", place: hidden)])
    #expect(diagnostic.redacted.text().hasSuffix("note: jobs.toml:2:3: the first is here\n"))
  }
}
