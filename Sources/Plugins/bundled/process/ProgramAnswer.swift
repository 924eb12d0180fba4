import PluginJSON
import TimelinePluginKit

/// The results from the lines of JSON that a program has printed in a run.
struct ProgramAnswer {
  /// The status with which a run ends, as the program reports it.
  enum Status: String, CaseIterable {
    case ok, failed, retry, cancelled
  }

  /// A violation of the protocol in a line, as text.
  struct Fault: Error {
    let text: String
  }

  /// The largest length of a line in bytes: room for the largest text that is stored, a cursor of 16 KiB, even if most of
  /// it is escaped.
  static let lineMax = 65_536
  /// Largest number of fields of one line of the log, the same as the host's limit.
  private static let fieldsMax = 32
  private static let keys = [
    "cursor", "error", "fields", "level", "log", "progress", "result", "status", "text",
  ]

  private(set) var status: Status?
  private(set) var result: String?
  private(set) var error: String?

  /// Handles one line of the program.
  mutating func take(_ line: String, _ context: RunContext) throws {
    guard line.utf8.count <= Self.lineMax else {
      throw Fault(text: "a line is longer than \(Self.lineMax) bytes")
    }
    guard status == nil else { throw Fault(text: "a line came after the status, which is the last one") }
    let members = try Self.members(of: line)
    for member in members {
      guard Self.keys.contains(member.key) else {
        throw Fault(
          text:
            "the key \"\(member.key.prefix(64))\" is unknown: there are \(Self.keys.joined(separator: ", "))")
      }
    }
    for (key, others) in [("log", ["level", "fields"]), ("progress", ["text"])] where members[key] == nil {
      if let other = others.first(where: { members[$0] != nil }) {
        throw Fault(text: "the key \"\(other)\" stands only beside \"\(key)\"")
      }
    }
    if let value = members["log"] { try log(value, members, context) }
    if let value = members["progress"] { try report(value, members, context) }
    if let value = members["cursor"] { try context.setCursor(Self.cursor(value)) }
    if let value = members["result"] { result = try Self.text(value, "result") }
    if let value = members["error"] { error = try Self.text(value, "error") }
    if let value = members["status"] { status = try Self.word(value, "status") }
  }

  private static func members(of line: String) throws -> JSONObject {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: line) } catch {
      throw Fault(text: "it is not JSON: \(error.description)")
    }
    guard case .object(let members) = value else { throw Fault(text: "it is JSON, but not an object") }
    return members
  }

  private func log(_ value: JSONValue, _ members: JSONObject, _ context: RunContext) throws {
    let message = try Self.text(value, "log")
    let level: LogLevel = try members["level"].map { try Self.word($0, "level") } ?? .info
    var fields: [(key: String, value: String)] = []
    if let value = members["fields"] {
      guard case .object(let object) = value, object.count <= Self.fieldsMax else {
        throw Fault(text: "the value of \"fields\" is not an object of at most \(Self.fieldsMax) members")
      }
      fields = object.map { member in
        if case .string(let text) = member.value { return (member.key, text) }
        return (member.key, member.value.description)
      }
    }
    context.log(message, level: level, fields: fields)
  }

  private func report(_ value: JSONValue, _ members: JSONObject, _ context: RunContext) throws {
    let text = try members["text"].map { try Self.text($0, "text") }
    switch value {
    case .null: context.report(progress: nil, text)
    case .integer(let fraction): context.report(progress: Double(fraction), text)
    case .number(let fraction): context.report(progress: fraction, text)
    default: throw Fault(text: "the value of \"progress\" is neither a number from 0 to 1 nor null")
    }
  }

  /// Returns the bytes to store for a cursor: its JSON, or no bytes for null, which removes the cursor.
  private static func cursor(_ value: JSONValue) -> [UInt8] {
    value == .null ? [] : Array(value.description.utf8)
  }

  private static func text(_ value: JSONValue, _ key: String) throws -> String {
    guard case .string(let text) = value else { throw Fault(text: "the value of \"\(key)\" is not a text") }
    return text
  }

  private static func word<Word: CaseIterable>(_ value: JSONValue, _ key: String) throws -> Word {
    if case .string(let text) = value, let word = Word.allCases.first(where: { "\($0)" == text }) {
      return word
    }
    let words = Word.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
    throw Fault(text: "the value of \"\(key)\" is none of \(words)")
  }
}
