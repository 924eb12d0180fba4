import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem

@Suite struct `The plugin log, and the descriptions of all bundled plugins` {
  @Test func `a line contains the run's values`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "log", job: "note",
      parameters: #"{"message": "{job} at {nominal}, try {attempt} {{}", "level": "warning"}"#)
    #expect(try stage.finish(run).result == "note at 2027-01-15T08:00:00Z, try 1 {}")
    let levels = stage.events.compactMap { if case .line(let line) = $0 { line.level } else { nil } }
    #expect(levels == [.warning])
  }

  @Test func `a line of a reaction contains its upstream, and has it in its fields`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "log", parameters: #"{"message": "{upstream-job} {upstream-outcome}: {upstream-reason}"}"#
    ) { $0.attempt.upstream = .sample }
    #expect(try stage.finish(run).result == "backup failed: no disk")
    let fields = stage.events.compactMap { if case .line(let line) = $0 { line.fields } else { nil } }
    #expect(
      fields == [
        [
          .init(key: "upstream_job", value: "backup"),
          .init(key: "upstream_entry", value: "2027-01-15T08:00:00Z"),
          .init(key: "upstream_outcome", value: "failed"),
          .init(key: "upstream_reason", value: "no disk"),
        ]
      ])
  }

  @Test(arguments: [
    (#"{"message": "{what}"}"#, "unknown placeholder {what}"), (#"{"message": "{job"}"#, "a { without a }"),
    (#"{"message": "a", "level": "loud"}"#, "must be one of debug, info"),
    ("{}", "the parameter /message is missing"),
    (#"{"message": 7}"#, "the parameter /message must be text, and is an integer"),
  ])
  func `the failure of a wrong parameter names its key and the remedy`(parameters: String, expected: String)
    throws
  {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("log", parameters: parameters)
    #expect(end.outcome.status == .failed)
    #expect(end.outcome.message.contains(expected), "\(end.outcome.message)")
  }

  @Test(arguments: ["exec", "http", "log", "notify", "process"])
  func `each plugin has a schema with a description of every parameter`(plugin: String) throws {
    let stage = try Stage(Fixtures.bundled)
    let kind = HostSpec(pluginPath: try stage.hosts.configuration.search.path(of: plugin))
    var answer: Result<PluginIdentity, HostFailure>?
    stage.hosts.describe(kind) { answer = $0 }
    try stage.wait(for: "the answer") { answer != nil }
    let identity = try #require(try answer?.get())
    #expect(identity.name == plugin)
    #expect(!identity.summary.isEmpty && !identity.version.isEmpty)
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(identity.schema.utf8)) as? [String: Any])
    #expect(schema["additionalProperties"] as? Bool == false)
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    for (name, property) in properties {
      #expect((property["description"] as? String)?.isEmpty == false, "\(name)")
    }
  }

  @Test func `one host serves a job for as long as its parameters stay the same`() throws {
    let stage = try Stage(Fixtures.bundled) { $0.limits.idleHostsPerKindMax = 1 }
    var results: [String?] = []
    for message in ["a", "a", "b"] {
      results.append(try stage.run("log", parameters: "{\"message\": \"\(message)\"}").result)
    }
    #expect(results == ["a", "a", "b"])
    #expect(stage.hosts.hostCount == 1)
  }
}
