import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

/// Calendar rules against `systemd-analyze calendar`, the reference for their language: which are valid, their normal form
/// and, in UTC, their instants.
///
/// Excluded, because they differ on purpose: rules with leading, trailing or double spaces, which timelined accepts; zones
/// without a file, which timelined does not look up; lists of seconds that hold `00/1` beside fractions, which systemd prints
/// as `*`, without the fractions; lists of days from the end of the month, where systemd 252 accepts 28 as the bound of the
/// first element, 25 as that of the second and so on; rules that can never match, which timelined refuses and for which
/// systemd must print `never`; rules in Europe/Berlin whose instants systemd 252 fails to find ("Resource deadlock
/// avoided"); years after 2199, where systemd stops. Instants are compared to the second, as systemd
/// prints no more. If seconds have a step with a fraction, only the instants of the first minute are compared, because
/// systemd 252 carries the fraction over the end of a minute into the next and loses its first instants.
@Suite struct `Fuzzed calendar rules agree with systemd` {
  static let program = "/usr/bin/systemd-analyze"
  static let seed: UInt64 = 0x0CA1_E4DA
  static let iterationCount = 6

  /// Answer of systemd to a valid expression.
  struct Answer {
    var normalized = ""
    var instants: [String] = []
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program)))
  func `accepted rules, their normal forms and their instants agree with systemd`() throws {
    let caseCount = ProcessInfo.processInfo.environment["TIMELINED_FUZZ_CASES"].flatMap { Int($0) } ?? 1_000
    var generator = SeededGenerator(seed: Self.seed)
    var (takenCount, refusedCount, instantCount, neverCount) = (0, 0, 0, 0)
    var remaining = caseCount
    while remaining > 0 {
      let texts = Self.texts(min(remaining, 400), using: &generator)
      remaining -= texts.count
      for (text, answer) in zip(texts, try Self.ask(texts)) {
        let name = "\(text), seed \(Self.seed)"
        do throws(TextError) {
          let rule = try CalendarExpression(parsing: text)
          guard rule.zoneName == nil || rule.zoneName == "UTC" || rule.zoneName == "Europe/Berlin" else {
            continue
          }
          guard let answer else {
            let isFromEnd = text.contains("~") && text.contains(",")
            let isTakenInUTC = Self.isTaken(text.replacing(" Europe/Berlin", with: ""))
            #expect(isFromEnd || isTakenInUTC, "systemd refuses \(name)")
            continue
          }
          takenCount += 1
          if answer.normalized.hasSuffix(":*"), !rule.description.hasSuffix(":*") { continue }
          #expect(rule.description == answer.normalized, "\(name)")
          if rule.zoneName == "Europe/Berlin" { continue }
          let found = try Self.instants(of: rule)
          instantCount += found.count
          let seconds = rule.description.split(separator: ":").last ?? ""
          guard seconds.contains("."), seconds.contains("/"), let first = found.first else {
            #expect(found == answer.instants, "\(name)")
            continue
          }
          let minute = first.prefix(16)
          #expect(
            found.prefix { $0.hasPrefix(minute) } == answer.instants.prefix { $0.hasPrefix(minute) },
            "\(name)")
        } catch {
          guard let answer else {
            refusedCount += 1
            continue
          }
          let isImpossible = ["can fall", "no month of the rule has this day"].contains {
            error.reason.contains($0)
          }
          #expect(isImpossible && answer.instants.isEmpty, "systemd takes \(name): \(error)")
          neverCount += 1
        }
      }
    }
    print(
      "\(takenCount) rules taken, \(instantCount) instants, \(neverCount) never, \(refusedCount) refused by both"
    )
    #expect(takenCount > caseCount / 2)
  }

  static let base = "2026-03-15 12:34:00"

  /// The first instants after the base, in whole seconds, up to the year in which systemd stops.
  static func instants(of rule: CalendarExpression) throws(TextError) -> [String] {
    let schedule = CalendarSchedule(expression: rule, zone: .utc)
    var instant = try WallInstant(rfc3339: base.replacing(" ", with: "T") + "Z")
    let end = try WallInstant(rfc3339: "2200-01-01T00:00:00Z")
    var found: [String] = []
    while found.count < iterationCount, let next = schedule.next(after: instant), next < end {
      found.append("\(Zone.utc.civil(at: next))".prefix(19).description)
      instant = next
    }
    return found
  }

  /// Texts on which both sides are compared.
  static func texts(_ count: Int, using generator: inout SeededGenerator) -> [String] {
    var texts: [String] = []
    while texts.count < count {
      let isMutated = Int.random(in: 0..<4, using: &generator) == 0
      let text =
        isMutated
        ? RandomCalendarText.mutated(using: &generator) : RandomCalendarText.rule(using: &generator)
      if !text.isEmpty, !text.hasPrefix("-"), !text.hasPrefix(" "), !text.hasSuffix(" "),
        !text.contains("  ")
      {
        texts.append(text)
      }
    }
    return texts
  }

  static func isTaken(_ text: String) -> Bool { (try? ask([text]))?.contains { $0 != nil } ?? false }

  /// One answer for each expression, `nil` if systemd refuses it.
  static func ask(_ texts: [String]) throws -> [Answer?] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.environment = ["TZ": "UTC", "LC_ALL": "C", "SYSTEMD_COLORS": "0", "SYSTEMD_PAGER": ""]
    process.arguments =
      ["calendar", "--iterations=\(iterationCount)", "--base-time=\(base) UTC"] + texts
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    process.waitUntilExit()

    // A refused expression has no line, so that answers are found by the text that they repeat. An expression in normal form
    // is not repeated.
    var answers: [Answer?] = Array(repeating: nil, count: texts.count)
    var index = -1
    for line in lines {
      guard let colon = line.range(of: ": ") else { continue }
      let value = String(line[colon.upperBound...])
      switch line[..<colon.lowerBound].trimmingCharacters(in: .whitespaces) {
      case "Original form":
        index = texts[(index + 1)...].firstIndex(of: value) ?? index
        answers[index] = Answer()
      case "Normalized form":
        if index < 0 || answers[index]?.normalized.isEmpty != true {
          index = texts[(index + 1)...].firstIndex(of: value) ?? index
          answers[index] = Answer()
        }
        answers[index]?.normalized = value
      case "Next elapse" where value == "never": break
      case let key where key == "Next elapse" || key.hasPrefix("Iter"):
        answers[index]?.instants.append(value.split(separator: " ")[1...2].joined(separator: " "))
      default: break
      }
    }
    return answers
  }
}
