import Foundation
import TimelineClient
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineJSON
import TimelineSystem
import TimelineWeb

/// A daemon with a configuration in a file, and the web server in front of it.
final class ConfiguredDaemon {
  let daemon: FakeDaemon
  let application: WebApplication
  private let path = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString).toml")
    .path

  init(
    _ configuration: String, now: WallInstant = t(0), isReadOnly: Bool = false,
    change: (inout FakeDaemon.State) -> Void = { _ in },
    clock: @escaping @Sendable () -> MonotonicInstant = { MonotonicInstant(nanosecondsSinceBoot: 0) }
  ) throws {
    try configuration.write(toFile: path, atomically: true, encoding: .utf8)
    let path = path
    daemon = FakeDaemon { state in
      state.status.configuration = path
      state.status.now = Timestamp(now)
      change(&state)
    }
    application = WebApplication(
      gate: WebGate(hosts: ["localhost:8463"], isReadOnly: isReadOnly, needsToken: false), token: nil,
      cookieName: "t",
      page: DaemonPage(of: daemon, machine: "test", clock: clock, zone: { _ in .utc }), clock: clock)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func reply(_ method: String, _ target: String, body: String = "") throws -> (status: Int, json: JSONValue) {
    var request = WebRequest(method, target)
    (request.host, request.origin) = ("localhost:8463", "http://localhost:8463")
    (request.fetchSite, request.contentType) = ("same-origin", "application/json")
    let reply: WebReply
    switch application.admit(request) {
    case .refused(let refusal): reply = refusal
    case .admitted(let route): reply = application.reply(to: route, request, body: Array(body.utf8))
    }
    return (reply.status, try JSONValue(parsing: String(decoding: reply.body, as: UTF8.self)))
  }

  /// The effects of a proposed configuration within some seconds.
  func plan(_ configuration: String, seconds: Int = 1_000) throws -> JSONValue {
    try reply(
      "POST", "/api/plan",
      body: JSONText.object([
        ("configuration", JSONText.quoted(configuration)), ("length", "\(seconds)000"),
        ("columns", "1000"),
      ])
    ).json
  }
}

/// A job that does nothing.
func job(_ name: String, by period: String, _ more: String = "") -> String {
  """
  [job.\(name)]
  plugin = "exec"
  schedule = { periodic = { by = "\(period)" } }
  with = { command = ["/bin/true"] }
  \(more)

  """
}

extension JSONValue {
  /// The elements of the array at a pointer.
  func elements(at pointer: String) -> [JSONValue] {
    guard case .array(let elements)? = value(at: pointer) else { return [] }
    return elements
  }

  /// The text at a pointer; anything else as JSON.
  func text(at pointer: String) -> String {
    switch value(at: pointer) {
    case .string(let text)?: text
    case let value?: "\(value)"
    case nil: ""
    }
  }
}
