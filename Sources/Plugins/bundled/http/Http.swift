import PluginSupport
import TimelinePluginKit
import TransferSupport

/// Sends one HTTP request. The status of the response decides on the result of the run.
final class Http: TimelinePlugin {
  static let name = "http"
  static let version = "1.0"
  static let summary = "sends an HTTP request"
  /// The maximum number of instances in a process. Each has a connection, which takes 0.8 MB of memory with TLS.
  static let instancesMax = 32
  static let parametersSchema: String? = Settings.schema

  private let settings: Settings
  private let transfer: Transfer

  init(_ opening: Opening) throws {
    settings = try Settings(opening.parameters)
    transfer = try Transfer(userAgent: "timelined-http/\(Self.version)")
  }

  func run(_ context: RunContext) throws -> String? {
    let isTried = context.isRehearsal && !settings.runsInRehearsal
    let request = try request(for: context, withCredentials: !isTried)
    if isTried {
      let text = "rehearsal: \(request.words) was not sent; set rehearse = true to send it"
      context.log(text, level: .notice)
      return text
    }
    let response = try transfer.perform(request, settings.limits, context)
    context.log(
      "\(request.words): \(response.status), \(response.length) bytes"
        + (response.isOfOtherServer ? " from another server, which got no headers and no body" : ""),
      fields: [
        "http_status": String(response.status), "http_bytes": String(response.length),
        "http_microseconds": String(response.microseconds),
      ])
    if settings.expects(response.status) { return summary(response) }
    throw unexpected(response, request)
  }

  private func request(for context: RunContext, withCredentials: Bool) throws -> Request {
    var request = try Request(
      method: settings.method, url: settings.url.filledURL(for: context),
      headers: settings.headers.map { ($0.name, Self.line($0.value.filled(for: context))) },
      body: settings.body?.filled(for: context))
    if withCredentials {
      for header in settings.secretHeaders {
        let secret = try header.credential.text()
        request.headers.append((header.name, header.prefix + secret))
        request.secrets.add([secret])
      }
      request.words = request.secrets.blanked(request.words)
    }
    if !["GET", "HEAD"].contains(request.method), !request.sets("Idempotency-Key") {
      request.headers.append(("Idempotency-Key", context.runKey))
    }
    if !request.sets(TraceContext.variable) {
      request.headers.append((TraceContext.variable.lowercased(), TraceContext.text(of: context)))
    }
    if request.body != nil, !request.sets("Content-Type") {
      request.headers.append(
        ("Content-Type", settings.bodyIsUpstream ? "application/json" : "application/octet-stream"))
    }
    return request
  }

  /// Returns the value of a header on one line. A line end in a value of the run would begin another header.
  private static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }

  private func unexpected(_ response: Response, _ request: Request) -> any Error {
    let expected =
      settings.expectedStatuses.map { $0.map(String.init).joined(separator: " or ") } ?? "200 to 299"
    let sentence =
      "\(request.words) got the status \(response.status) where \(expected) was expected\(response.quote)"
    if response.isTransient {
      return RetryableFailure("\(sentence); the server may well do better later")
    }
    let isRedirect = (300...399).contains(response.status) && !settings.limits.followsRedirects
    return Failure(
      sentence
        + (isRedirect
          ? "; set follow-redirects = true, or correct the URL"
          : "; correct the job's `with`, or set expected-status"))
  }

  private func summary(_ response: Response) -> String {
    "\(response.status), \(response.length) bytes\(response.quote)"
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_http)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Http.self, to: host)
}
