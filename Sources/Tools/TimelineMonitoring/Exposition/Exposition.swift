/// Formats of an exposition.
package enum ExpositionFormat: Sendable, CaseIterable {
  /// The text format 0.0.4 of Prometheus, which the textfile collector of node_exporter reads.
  case prometheus
  /// OpenMetrics 1.0, for a scrape by HTTP.
  case openMetrics

  package var mediaType: String {
    switch self {
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }
}

/// Metrics as text: families of samples, each with its type and a help sentence.
///
/// Both formats have the same samples. OpenMetrics names the family of a counter without `_total`, and ends with a
/// mark of complete text.
struct Exposition {
  /// Types of a family.
  enum Kind: String {
    case counter, gauge, histogram
  }

  /// In order.
  typealias Labels = [(name: String, value: String)]

  private let format: ExpositionFormat
  private(set) var text = ""
  private var family = ""

  init(_ format: ExpositionFormat) { self.format = format }

  /// Begins a family. All its samples must follow before the next family.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    family = "timelined_" + name
    let suffix = kind == .counter ? "_total" : ""
    let title = format == .openMetrics ? family : family + suffix
    text += "# HELP \(title) \(help)\n# TYPE \(title) \(kind.rawValue)\n"
    family += suffix
  }

  /// Adds a sample of the family.
  mutating func add(_ value: String, _ labels: Labels = [], suffix: String = "") {
    text += family
    text += suffix
    var separator = "{"
    for (name, label) in labels {
      text += separator + name + "=\"" + Self.escaped(label) + "\""
      separator = ","
    }
    if !labels.isEmpty { text += "}" }
    text += " " + value + "\n"
  }

  /// Adds a sample of the family.
  mutating func add(_ value: Int, _ labels: Labels = []) { add("\(value)", labels) }

  /// Adds a sample of the family: 1 for true.
  mutating func add(_ value: Bool, _ labels: Labels = []) { add(value ? "1" : "0", labels) }

  /// Ends the text.
  mutating func end() {
    if format == .openMetrics { text += "# EOF\n" }
  }

  private static func escaped(_ label: String) -> String {
    if label.utf8.allSatisfy({
      $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n")
    }) {
      return label
    }
    return String(
      label.flatMap { character in
        switch character {
        case "\\": #"\\"#
        case "\"": #"\""#
        case "\n": #"\n"#
        default: String(character)
        }
      })
  }
}

/// Seconds as a decimal number, without rounding.
enum Seconds {
  private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

  /// Returns a number of nanoseconds as text in seconds. A whole number has no fraction.
  static func text(_ nanoseconds: Int64) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: nanosecondsPerSecond)
    var text = (nanoseconds < 0 ? "-" : "") + "\(whole)"
    guard rest > 0 else { return text }
    let digits = "\(rest)"
    text += "." + String(repeating: "0", count: 9 - digits.utf8.count) + digits
    while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
    return text
  }

  /// Returns the text of a bucket's upper bound, which OpenMetrics writes with a fraction.
  static func bound(_ nanoseconds: Int64) -> String {
    let text = text(nanoseconds)
    return text.utf8.contains(UInt8(ascii: ".")) ? text : text + ".0"
  }
}
