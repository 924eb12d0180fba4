/// A part of a simulated life to which decisions belong.
package enum LifeSection: Hashable, Comparable, Sendable {
  case start
  case job(Int)
  case step(Int)
  case end

  /// Its heading in a file.
  package var text: String {
    switch self {
    case .start: "start"
    case .job(let number): "job \(number)"
    case .step(let number): "step \(number)"
    case .end: "end"
    }
  }

  fileprivate init?(_ text: String) {
    let words = text.split(separator: " ")
    switch (words.first, words.count, words.last.flatMap { Int($0) }) {
    case ("start", 1, _): self = .start
    case ("end", 1, _): self = .end
    case ("job", 2, let number?) where number >= 0: self = .job(number)
    case ("step", 2, let number?) where number >= 0: self = .step(number)
    default: return nil
    }
  }
}

/// The decisions of a simulated life that are not the quiet ones, as a file holds them.
///
///     # What the life once showed.
///     start
///       jobs = 2
///     step 7
///       what happens = steps the clock
///       waits for a host #2 = yes
///
/// `#2` is the second draw with this label in its section. What the file does not name is quiet.
package struct WrittenLife: Equatable, Sendable {
  /// One decision.
  package struct Decision: Sendable {
    /// Place at which the life draws it.
    package struct Place: Hashable, Sendable {
      package let section: LifeSection
      package let label: String
      package let occurrence: Int

      package init(_ section: LifeSection, _ label: String, _ occurrence: Int = 1) {
        (self.section, self.label, self.occurrence) = (section, label, occurrence)
      }

      /// Its name within its section.
      package var text: String { occurrence == 1 ? label : "\(label) #\(occurrence)" }
    }

    package let place: Place
    package let value: String
    /// Its file and line; empty for none.
    package let origin: String

    package init(_ place: Place, _ value: String, origin: String = "") {
      (self.place, self.value, self.origin) = (place, value, origin)
    }
  }

  /// Lines at the top of the file.
  package var remarks: [String]
  /// Ordered by sections, and in a section in the order of the draws.
  package let decisions: [Decision]

  package init(_ decisions: [Decision], remarks: [String] = []) {
    self.remarks = remarks
    let numbered = decisions.enumerated().sorted {
      ($0.element.place.section, $0.offset) < ($1.element.place.section, $1.offset)
    }
    self.decisions = numbered.map(\.element)
  }

  /// The sections that have decisions, in their order.
  package var sections: [LifeSection] {
    decisions.reduce(into: []) { sections, decision in
      if sections.last != decision.place.section { sections.append(decision.place.section) }
    }
  }

  /// Its text in a file.
  package var text: String {
    var lines = remarks.map { $0.isEmpty ? "#" : "# \($0)" }
    var section: LifeSection?
    for decision in decisions {
      if decision.place.section != section { lines.append(decision.place.section.text) }
      section = decision.place.section
      lines.append("  \(decision.place.text) = \(decision.value)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reads the text of the file `path`.
  package init(parsing text: String, path: String) throws {
    var (remarks, decisions, places) = ([String](), [Decision](), Set<Decision.Place>())
    var section: LifeSection?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    for (number, line) in lines.map({ ($0.offset + 1, String($0.element)) }) {
      if line.isEmpty { continue }
      if line.hasPrefix("#") {
        remarks.append(String(line.dropFirst(line.hasPrefix("# ") ? 2 : 1)))
      } else if !line.hasPrefix(" ") {
        guard let named = LifeSection(line) else {
          throw TestFailure("\(path):\(number): unknown section: write start, job N, step N or end")
        }
        section = named
      } else {
        guard let section, let decision = Decision(line, in: section, "\(path):\(number)") else {
          throw TestFailure("\(path):\(number): no decision: write `label = value` below a section")
        }
        guard places.insert(decision.place).inserted else {
          throw TestFailure("\(path):\(number): decided twice: \(decision.place.text)")
        }
        decisions.append(decision)
      }
    }
    self.init(decisions, remarks: remarks)
  }

  /// Two lives are equal if their decisions are, wherever they stand in their files.
  package static func == (one: WrittenLife, other: WrittenLife) -> Bool {
    one.decisions.map(\.place) == other.decisions.map(\.place)
      && one.decisions.map(\.value) == other.decisions.map(\.value)
  }
}

extension WrittenLife.Decision {
  fileprivate init?(_ line: String, in section: LifeSection, _ origin: String) {
    guard let equals = line.firstRange(of: " = ") else { return nil }
    let value = String(line[equals.upperBound...])
    var label = String(line[..<equals.lowerBound].drop { $0 == " " })
    var occurrence = 1
    if let mark = label.firstRange(of: " #") {
      guard let count = Int(label[mark.upperBound...]), count > 1 else { return nil }
      (label, occurrence) = (String(label[..<mark.lowerBound]), count)
    }
    guard !label.isEmpty, !value.isEmpty else { return nil }
    self.init(Place(section, label, occurrence), value, origin: origin)
  }
}
