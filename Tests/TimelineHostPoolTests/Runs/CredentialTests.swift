import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Credentials of runs, in real hosts.
@Suite struct CredentialTests {
  /// A plugin that returns the credential `key` as its result.
  struct Reader: CustomTestStringConvertible, Sendable {
    var plugin: String
    var isBundled = true
    var parameters: String
    /// Result of a run with that credential.
    var result: @Sendable (String) -> String = { $0 }
    var testDescription: String { plugin }
  }

  static let readers = [
    Reader(plugin: "exec", parameters: #"{"command": "cat $CREDENTIALS_DIRECTORY/key", "shell": true}"#),
    Reader(
      plugin: "process",
      parameters:
        #"{"command": ["/bin/sh", "-c", "read run; printf '{\"result\":\"%s\",\"status\":\"ok\"}\\n' $(cat $CREDENTIALS_DIRECTORY/key)"]}"#
    ),
    Reader(plugin: "reads-credential", isBundled: false, parameters: "{}") { "\($0) \($0)" },
  ]

  private struct Place {
    let workshop: Workshop
    let stage: Stage
    var secret: String { workshop.path + "/secret" }
    var directory: String { workshop.path + "/credentials" }

    init(isBundled: Bool = true) throws {
      let workshop = try Workshop()
      self.workshop = workshop
      stage = try Stage(isBundled ? Fixtures.bundled : Fixtures.broken) {
        $0.credentialsDirectory = workshop.path + "/credentials"
      }
    }

    func write(_ text: String, mode: mode_t = 0o600) throws {
      try workshop.write(text, to: "secret", mode: mode)
      unsafe chmod(secret, mode)
    }

    func kind(_ plugin: String) throws -> HostSpec {
      var kind = HostSpec(pluginPath: try stage.hosts.configuration.search.path(of: plugin))
      kind.setup.credentials = ["key": secret]
      return kind
    }

    /// The existing files and directories of credentials.
    var copies: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }
  }

  @Test(arguments: readers)
  func `each run has the current credential, and its copy is removed at its end`(reader: Reader) throws {
    let place = try Place(isBundled: reader.isBundled)
    let kind = try place.kind(reader.plugin)
    func run() throws -> PluginRunEnd {
      let end = try place.stage.run(reader.plugin, parameters: reader.parameters) { $0.kind = kind }
      #expect(place.copies == [])
      return end
    }
    for text in ["one", "other"] {
      try place.write(text)
      #expect(try run().result == reader.result(text))
    }
    try FileManager.default.removeItem(atPath: place.secret)
    #expect(try run().outcome.message.contains("there is no file \(place.secret)"))
    try place.write("open", mode: 0o666)
    #expect(try run().outcome.message.contains("others than its owner may change \(place.secret)"))
    try place.write("again")
    #expect(try run().result == reader.result("again"), "an earlier fault holds no later run up")
    #expect(place.stage.notes.isEmpty)
  }

  @Test func `a host started for an inquiry serves no run with the credentials it has read`() throws {
    let place = try Place(isBundled: false)
    let kind = try place.kind("reads-credential")
    try place.write("one")
    var isAnswered = false
    place.stage.hosts.describe(kind) { _ in isAnswered = true }
    try place.stage.wait(for: "the answer") { isAnswered }
    #expect(place.copies == [])
    try place.write("other")
    #expect(try place.stage.run("reads-credential") { $0.kind = kind }.result == "other other")
  }

  @Test func `files that a run puts beside its credentials are removed before the next run`() throws {
    let place = try Place()
    let kind = try place.kind("exec")
    try place.write("one")
    let parameters =
      #"{"command": "ls $CREDENTIALS_DIRECTORY; cd $CREDENTIALS_DIRECTORY; chmod u+w .; mkdir -p a/b; ln -s /etc a/b/c; echo x > y", "shell": true}"#
    for _ in 0..<2 {
      let run = try place.stage.start("exec", parameters: parameters) { $0.kind = kind }
      #expect(try place.stage.finish(run).outcome.status == .succeeded)
      #expect(place.stage.lines(of: run, .log) == ["key"])
      try place.stage.wait(for: "the removal") { place.copies == [] }
    }
    #expect(FileManager.default.fileExists(atPath: "/etc/passwd"), "links are not followed")
  }

  @Test func `a run that is killed leaves no copy`() throws {
    let place = try Place()
    let kind = try place.kind("exec")
    try place.write("one")
    let run = try place.stage.start(
      "exec", parameters: #"{"command": "echo begun; sleep 60", "shell": true}"#
    ) { $0.kind = kind }
    try place.stage.wait(for: "its line") { place.stage.lines(of: run, .log) == ["begun"] }
    #expect(place.copies.count == 1)
    place.stage.hosts.kill(run, .timeout)
    #expect(try place.stage.finish(run).outcome.status == .cancelled)
    #expect(place.copies == [])
  }

  @Test func `the total size of a run's credentials is limited`() throws {
    let place = try Place(isBundled: false)
    var kind = try place.kind("reads-credential")
    let half = JobLimits.credentialBytesMax / 2
    try place.write(String(repeating: "x", count: half))
    kind.setup.credentials["twin"] = place.secret
    #expect(try place.stage.run("reads-credential") { $0.kind = kind }.outcome.status == .succeeded)
    try place.write(String(repeating: "x", count: half + 1))
    let message = try place.stage.run("reads-credential") { $0.kind = kind }.outcome.message
    #expect(message.contains("more than 1048576 bytes in all"), "\(message)")
    #expect(place.copies == [])
  }
}
