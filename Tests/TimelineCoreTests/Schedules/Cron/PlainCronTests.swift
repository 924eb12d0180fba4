import Testing
import TimelineTestSupport

@testable import TimelineCore

/// Rules of single numbers and stars have a parser and a printer of their own, which agree with the general ones.
@Suite struct PlainCronTests {
  @Test func `plain rules are read and written as all others are`() throws {
    let seed: UInt64 = 1
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let fields = [(0, 61), (0, 25), (0, 33), (0, 14), (0, 9)].map { low, high in
        Int.random(in: 0..<3, using: &random) == 0 ? "*" : String(Int.random(in: low..<high, using: &random))
      }
      let plain = try? CronExpression(parsing: fields.joined(separator: " "))
      // Two spaces are beyond the short way.
      let other = try? CronExpression(parsing: fields.joined(separator: "  "))
      #expect(plain == other, "\(fields), seed \(seed)")
      guard let plain else { continue }
      #expect(try CronExpression(parsing: plain.description) == plain, "\(fields), seed \(seed)")
      let numbers = fields.enumerated().map { index, field in index == 4 && field == "7" ? "0" : field }
      #expect(plain.description == numbers.joined(separator: " "), "\(fields), seed \(seed)")
    }
  }

  @Test(arguments: [
    "", " ", "1", "1 2 3 4", "1 2 3 4 5 ", " 1 2 3 4 5", "001 2 3 4 5", "1 2 3 4 **", "1 2 3 4 5*",
    "60 2 3 4 5",
  ])
  func `other rules are left to the general parser`(_ text: String) {
    let words = text.split(separator: " ").joined(separator: "  ")
    #expect((try? CronExpression(parsing: text)) == (try? CronExpression(parsing: words)))
  }

  @Test func `a star names all numbers of its field`() {
    for field in CronField.allCases { #expect(field.all == field.progression(by: 1)) }
  }
}
