import TimelineJSON

/// The configuration in effect: all tables with their defaults filled in, and the origin of each value.
package struct ConfigurationListing: Sendable, Equatable {
  /// A table and its values, in the order of the reference.
  package struct Table: Sendable, Equatable {
    /// Words of the header, such as `job` and `backup`.
    package var path: [String]
    /// Whether the table is an element of an array of tables, whose header has double brackets.
    package var isElement: Bool
    /// `FILE:LINE` of the header; empty for a table that is not in a file.
    package var origin: String
    package var values: [Value]

    package init(path: [String], isElement: Bool = false, origin: String = "", values: [Value] = []) {
      self.path = path
      self.isElement = isElement
      self.origin = origin
      self.values = values
    }
  }

  /// A value with its key.
  package struct Value: Sendable, Equatable {
    package var key: String
    /// TOML in one line.
    package var text: String
    /// `FILE:LINE`, `default`, or the option or variable that sets the value.
    package var origin: String

    package init(key: String, text: String, origin: String) {
      self.key = key
      self.text = text
      self.origin = origin
    }
  }

  /// The origin of a value that is not set by a file, an option or a variable.
  package static let defaultOrigin = "default"

  /// Settings, then holidays, groups, jobs and expectations.
  package var tables: [Table]

  package init(tables: [Table]) {
    self.tables = tables
  }
}

// Printed forms.
extension ConfigurationListing {
  /// The listing as TOML with the same meaning as the files. A comment names the origin of each value.
  package var text: String { tables.map(\.text).joined(separator: "\n") }

  /// The listing as JSON, with one line for the object of each table.
  package var jsonLines: String { tables.map { $0.json + "\n" }.joined() }
}

extension ConfigurationListing.Table {
  /// Largest column at which comments are aligned. A longer value is followed directly by its comment.
  private static let commentColumnMax = 60

  fileprivate var text: String {
    let name = path.map(TOMLText.key).joined(separator: ".")
    let header = isElement ? "[[\(name)]]" : "[\(name)]"
    let lines =
      [(text: header, origin: origin)]
      + values.map { (text: "\(TOMLText.key($0.key)) = \($0.text)", origin: $0.origin) }
    let column = lines.map(\.text.count).filter { $0 <= Self.commentColumnMax }.max() ?? 0
    return lines.map { line in
      if line.origin.isEmpty { return line.text + "\n" }
      let gap = String(repeating: " ", count: max(column - line.text.count, 0) + 2)
      return "\(line.text)\(gap)# \(Self.comment(line.origin))\n"
    }.joined()
  }

  /// Returns the text without control characters, which TOML does not allow in a comment.
  private static func comment(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "?" : $0 }))
  }

  fileprivate var json: String {
    var members = [("table", JSONText.array(path.map(JSONText.quoted)))]
    if !origin.isEmpty { members.append(("origin", JSONText.quoted(origin))) }
    members.append(("values", valuesJSON))
    members.append(("origins", JSONText.object(values.map { ($0.key, JSONText.quoted($0.origin)) })))
    return JSONText.object(members)
  }

  private var valuesJSON: String {
    let lines = values.map { "\(TOMLText.key($0.key)) = \($0.text)\n" }.joined()
    let source = ConfigurationSource(path: "listing", bytes: Array(lines.utf8))
    // The text may come from a daemon of another version, whose syntax this program may not be able to parse.
    guard let root = try? TOMLDocument.parse(SourceText(source)) else {
      return JSONText.object(values.map { ($0.key, JSONText.quoted($0.text)) })
    }
    return root.jsonText
  }
}
