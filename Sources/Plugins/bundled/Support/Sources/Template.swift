import TimelinePluginKit

/// Text with placeholders such as `{job}`, which are replaced by values of the run; `{{` is an escaped brace.
public struct Template: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case value(String)
  }

  private let pieces: [Piece]

  /// Reads a template. `pointer` is the path of the parameter, for the error about an unknown placeholder.
  public init(_ source: String, in pointer: String) throws {
    var pieces: [Piece] = []
    var text = ""
    var rest = source[...]
    while let character = rest.popFirst() {
      guard character == "{" else {
        text.append(character)
        continue
      }
      if rest.first == "{" {
        rest.removeFirst()
        text.append("{")
        continue
      }
      guard let end = rest.firstIndex(of: "}") else {
        throw Failure("the parameter \(pointer) has a { without a }: write {{ for a brace")
      }
      let name = String(rest[..<end])
      guard Self.names.contains(name) else {
        throw Failure(
          "the parameter \(pointer) has the unknown placeholder {\(name)}: there are "
            + Self.names.map { "{\($0)}" }.joined(separator: " ") + ", and {{ for a brace")
      }
      pieces += [.text(text), .value(name)]
      text = ""
      rest = rest[rest.index(after: end)...]
    }
    self.pieces = pieces + [.text(text)]
  }

  /// The valid placeholders.
  public static let names = [
    "job", "run-key", "nominal", "actual", "attempt", "entry-count", "mode", "cadence", "rehearsal",
    "fencing-token", "previous", "upstream", "upstream-job", "upstream-entry", "upstream-outcome",
    "upstream-reason", "upstream-output", "upstream-failures", "upstream-since",
  ]

  /// Description of a template in words, for the JSON of a schema.
  public static let hint =
    "a text in which {{ is a brace and the placeholders are " + names.map { "{\($0)}" }.joined(separator: " ")

  /// Returns the regular expression of valid templates, escaped for the JSON of a schema.
  ///
  /// - Parameter others: Characters that a template must not contain, as in a character class of the expression.
  public static func pattern(without others: String = "") -> String {
    "([^{\(others)]|\\\\{\\\\{|\\\\{(\(names.joined(separator: "|")))\\\\})*"
  }

  /// Returns the text with the run's values in place of the placeholders, each value converted by `form`.
  public func filled(for context: RunContext, as form: (String) -> String = { $0 }) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .value(let name): form(Self.value(name, context))
      }
    }.joined()
  }

  private static func value(_ name: String, _ context: RunContext) -> String {
    switch name {
    case "job": context.job
    case "run-key": context.runKey
    case "nominal": Moment.text(nanosecondsSinceEpoch: context.nominal)
    case "actual": Moment.text(nanosecondsSinceEpoch: context.actual)
    case "attempt": String(context.attempt)
    case "entry-count": String(context.entryCount)
    case "mode": context.isLowFrequency ? "low-frequency" : "normal"
    case "cadence": String(describing: context.cadence)
    case "rehearsal": context.isRehearsal ? "yes" : "no"
    case "fencing-token": context.fencingToken.map { String($0) } ?? ""
    case "previous": context.previous?.text ?? ""
    case "upstream": context.upstream?.json() ?? "null"
    case _ where name.hasPrefix("upstream-"): Upstream.text(String(name.dropFirst(9)), in: context)
    default: ""
    }
  }
}
