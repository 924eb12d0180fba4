import PluginSupport
import TimelinePluginKit
import TransferSupport

/// A job's settings of `http`, checked once.
struct Settings: Sendable {
  let method: String
  let url: Template
  let headers: [(name: String, value: Template)]
  /// Headers whose values are secrets, each with the text that precedes the secret.
  let secretHeaders: [(name: String, prefix: String, credential: Credential)]
  let body: Template?
  let bodyIsUpstream: Bool
  let expectedStatuses: [Int64]?
  let limits: TransferLimits
  let runsInRehearsal: Bool

  /// A scheme, a host and an optional port, without blanks.
  private static let urlPattern =
    "^https?://([^\\\\s/?#@]*@)?(\\\\[[0-9A-Fa-f:.]+\\\\]|[^\\\\s/?#@:\\\\[\\\\]]+)"
    + "(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6([0-4][0-9]{3}|5([0-4][0-9]{2}|5([0-2][0-9]|3[0-5])))))?"
    + "([/?#][^\\\\s]*)?$"

  private static let noAuthorization = """
    {"propertyNames": {
      "not": {"pattern": "^[Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]$"},
      "description": "The header Authorization is made of credential: take one of them out."
    }}
    """

  static let schema = """
    {
      "type": "object",
      "description": "Sends one HTTP request; the status of the response decides. In url, headers and body {job} {run-key} {nominal} {actual} {attempt} {entry-count} {mode} {cadence} {rehearsal} {fencing-token} {previous} stand for what the run is told, and {{ for a brace. For a run that reacts to another job's entry {upstream} is all of it as JSON, which makes a body, and {upstream-job} {upstream-entry} {upstream-outcome} {upstream-reason} {upstream-output} {upstream-failures} {upstream-since} are parts of it. Unless the method is GET or HEAD, or the job sets it, the header Idempotency-Key is the run key. Unless the job sets it, the header traceparent is the trace context. Failures to connect, time-outs and the statuses 408, 425, 429 and 500 to 599 are worth another try.",
      "required": ["url"],
      "additionalProperties": false,
      "if": {"required": ["credential"]},
      "then": {"properties": {"headers": \(noAuthorization), "credential-headers": \(noAuthorization)}},
      "properties": {
        "url": {
          "type": "string",
          "allOf": [
            {"pattern": "\(urlPattern)", "x-timelined-hint": "a URL that begins with http:// or https://, without blanks; a port is 1 to 65535"},
            {"pattern": "^\(Template.pattern())$", "x-timelined-hint": "\(Template.hint)"}
          ],
          "description": "Where the request goes. What a placeholder stands for is percent-encoded in it, all but letters, digits and -._~: so that it stays in its part of the path or the query; in headers it has blanks for line ends, and the body has it as it is."
        },
        "method": {
          "type": "string", "pattern": "^[A-Z]+$", "x-timelined-hint": "capital letters, such as GET",
          "description": "GET, HEAD, POST, PUT... Default: POST with a body, GET without."
        },
        "headers": {
          "type": "object", "propertyNames": {"pattern": "^[^\\\\x00-\\\\x20:\\\\x7F]+$", "x-timelined-hint": "the name of a header, without blanks or colons"},
          "additionalProperties": {"type": "string", "pattern": "^\(Template.pattern(without: "\\\\r\\\\n"))$", "x-timelined-hint": "\(Template.hint), on one line"},
          "description": "Headers beside libcurl's own."
        },
        "credential": {
          "type": "string", "x-timelined-credential": true,
          "description": "The credential of the job that holds a bearer token, which is sent as the header Authorization."
        },
        "credential-headers": {
          "type": "object", "propertyNames": {"pattern": "^[^\\\\x00-\\\\x20:\\\\x7F]+$", "x-timelined-hint": "the name of a header, without blanks or colons"},
          "additionalProperties": {"type": "string", "x-timelined-credential": true},
          "description": "Headers whose values are credentials of the job, such as { X-Api-Key = \\"key\\" }."
        },
        "body": {
          "type": "string", "pattern": "^\(Template.pattern())$", "x-timelined-hint": "\(Template.hint)",
          "description": "What is sent, as application/octet-stream, or application/json when it is {upstream}, unless headers say otherwise."
        },
        "expected-status": {
          "oneOf": [
            {"type": "integer", "minimum": 100, "maximum": 599},
            {"type": "array", "items": {"type": "integer", "minimum": 100, "maximum": 599}, "minItems": 1}
          ],
          "description": "The statuses that are a success. Default: 200 to 299."
        },
        "time-limit": {
          "type": "number", "exclusiveMinimum": 0, "maximum": 86400, "default": 60,
          "description": "Seconds for the whole request; the job's timeout counts too if it is shorter."
        },
        "connect-time-limit": {
          "type": "number", "exclusiveMinimum": 0, "maximum": 3600, "default": 10,
          "description": "Seconds until there is a connection."
        },
        "follow-redirects": {
          "type": "boolean", "default": false,
          "description": "Whether up to ten redirects are followed; otherwise 3xx is the status that counts. 303 is followed by a GET, and so are 301 and 302 after a POST; else the same request is sent again, its body included. Another server, host or port gets neither the headers nor the body."
        },
        "response-limit": {
          "type": "integer", "minimum": 0, "maximum": 1073741824, "default": 1048576,
          "description": "Bytes of the response's body beyond which the transfer is broken off and has failed."
        },
        "rehearse": {
          "type": "boolean", "default": false,
          "description": "Whether the request is really sent in a rehearsal. Otherwise a rehearsal only says what it would send, and succeeds."
        }
      }
    }
    """

  init(_ parameters: Parameters) throws {
    let address = try parameters.text("/url")
    guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
      throw Failure("the parameter /url must begin with http:// or https://")
    }
    url = try Template(address, in: "/url")
    let text = try parameters.optionalText("/body")
    body = try text.map { try Template($0, in: "/body") }
    bodyIsUpstream = text == "{upstream}"
    method = try parameters.text("/method", default: body == nil ? "GET" : "POST")
    guard !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw Failure("the parameter /method is \"\(method)\": it must be capital letters, such as GET")
    }
    headers = try Self.headers(parameters, "/headers").map { name, value in
      (name, try Template(value, in: "/headers/\(name)"))
    }
    secretHeaders = try Self.secretHeaders(parameters)
    let names = (headers.map(\.name) + secretHeaders.map(\.name)).map { $0.lowercased() }
    for (name, _, _) in secretHeaders where names.count(where: { $0 == name.lowercased() }) > 1 {
      throw Failure("the header \(name) is a credential and given twice: take the other one out")
    }
    expectedStatuses = try Self.expected(parameters)
    limits = TransferLimits(
      timeLimit: try Self.seconds(parameters, "/time-limit", default: 60, max: 86_400),
      connectTimeLimit: try Self.seconds(parameters, "/connect-time-limit", default: 10, max: 3_600),
      followsRedirects: try parameters.boolean("/follow-redirects", default: false),
      responseLimit: try parameters.integer("/response-limit", default: 1_048_576),
      timeKeys: "time-limit, connect-time-limit")
    guard (0...1_073_741_824).contains(limits.responseLimit) else {
      throw Failure(
        "the parameter /response-limit is \(limits.responseLimit): it must be 0 to 1073741824 bytes")
    }
    runsInRehearsal = try parameters.boolean("/rehearse", default: false)
  }

  /// Reads a table of headers, sorted by name.
  private static func headers(_ parameters: Parameters, _ pointer: String) throws -> [(
    name: String, value: String
  )] {
    try (parameters.optionalTable(pointer) ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      let isClean = !name.isEmpty && !name.utf8.contains { $0 <= 0x20 || $0 == 0x3A || $0 == 0x7F }
      guard isClean, !value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
        throw Failure(
          "the parameter \(pointer)/\(name) is not a header: a name has no space and no colon, a value no line end"
        )
      }
      return (name, value)
    }
  }

  private static func secretHeaders(_ parameters: Parameters) throws -> [(
    name: String, prefix: String, credential: Credential
  )] {
    let bearer = try Credential(parameters, "/credential").map { [("Authorization", "Bearer ", $0)] } ?? []
    return try bearer
      + headers(parameters, "/credential-headers").map { name, value in
        (name, "", try Credential(named: value, in: "/credential-headers/\(name)"))
      }
  }

  private static func expected(_ parameters: Parameters) throws -> [Int64]? {
    let statuses: [Int64]
    switch parameters.kind("/expected-status") {
    case .absent: return nil
    case .array:
      statuses = try (0..<parameters.count("/expected-status")).map {
        try parameters.integer("/expected-status/\($0)")
      }
    default: statuses = [try parameters.integer("/expected-status")]
    }
    guard !statuses.isEmpty, statuses.allSatisfy({ (100...599).contains($0) }) else {
      throw Failure(
        "the parameter /expected-status must be statuses from 100 to 599, such as 204 or [200, 204]")
    }
    return statuses
  }

  private static func seconds(
    _ parameters: Parameters, _ pointer: String, default absent: Double, max: Double
  ) throws
    -> Double
  {
    let seconds = try parameters.number(pointer, default: absent)
    guard seconds > 0, seconds <= max else {
      throw Failure(
        "the parameter \(pointer) is \(seconds): it must be more than 0 and at most \(Int(max)) seconds")
    }
    return seconds
  }

  /// Whether the job expects a response with this status.
  func expects(_ status: Int64) -> Bool { expectedStatuses?.contains(status) ?? (200...299).contains(status) }
}
