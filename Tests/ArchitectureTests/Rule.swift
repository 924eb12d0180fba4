import Foundation
import Testing

/// An architecture rule, checked by a test instead of by a reviewer.
struct Rule: Sendable, CustomTestStringConvertible {
  /// The rule as a sentence.
  var name: String
  /// Finds what breaks the rule.
  var check: @Sendable (SourceTree) throws -> [Violation]

  var testDescription: String { name }

  /// Every rule.
  static let all: [Rule] =
    [
      .imports, .floors, .pure, .headers, .foundation, .time, .foreignServices, .uncheckedSendable, .force,
      .globals, .detached,
      .forgottenTests, .fixedSeeds, .patience, .sleepingTests, .documentation, .firstWords, .fileLength,
      .functionLength,
      .remarks, .wording,
      .machinePaths, .placeholders, .promises, .directorySize, .namesakes, .links, .installedPages, .map,
      .retiredWords,
      .engineState, .engineLayers, .daemonOwners, .checklists, .verbs, .clientCalls, .events,
    ]
}

/// One place where a rule is broken.
struct Violation: Equatable, CustomStringConvertible {
  /// Relative to the checkout.
  var path: String
  /// From 1; 0 for the file as a whole.
  var line: Int
  /// The fault, and what to do instead.
  var message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// A regular expression that reports where it matches.
struct Pattern {
  private let expression: NSRegularExpression

  init(_ pattern: String) throws {
    expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
  }

  /// The matches in order: the range of the whole, and the text of each group ("" where it took no part).
  func matches(in text: String) -> [(range: Range<String.Index>, groups: [String])] {
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap { match in
      guard let range = Range(match.range, in: text) else { return nil }
      let groups = (0..<match.numberOfRanges).map { index in
        Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
      }
      return (range, groups)
    }
  }

  /// Whether the text has a match.
  func occurs(in text: String) -> Bool { !matches(in: text).isEmpty }

  /// A violation for each match in the file's code.
  func violations(in file: SourceFile, _ message: ([String]) -> String) -> [Violation] {
    matches(in: file.code).map { match in
      Violation(path: file.path, line: file.line(at: match.range.lowerBound), message: message(match.groups))
    }
  }
}
