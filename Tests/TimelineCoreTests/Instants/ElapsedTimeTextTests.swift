import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Lengths of time in text` {
  static let pairs: [(text: String, nanoseconds: Int64, printed: String)] = [
    ("0s", 0, "0s"), ("-0s", 0, "0s"), ("1ns", 1, "1ns"), ("999ns", 999, "999ns"), ("1us", 1_000, "1us"),
    ("1µs", 1_000, "1us"), ("1μs", 1_000, "1us"), ("1.5us", 1_500, "1.5us"), ("16ms", 16_000_000, "16ms"),
    ("8333333ns", 8_333_333, "8.333333ms"), ("250ms", 250_000_000, "250ms"), ("1s", 1_000_000_000, "1s"),
    ("1000ms", 1_000_000_000, "1s"), ("1.5s", 1_500_000_000, "1.5s"), ("1s500ms", 1_500_000_000, "1.5s"),
    ("60s", 60_000_000_000, "1m"), ("90s", 90_000_000_000, "90s"), ("1m30s", 90_000_000_000, "90s"),
    ("119.999999999s", 119_999_999_999, "119.999999999s"), ("120s", 120_000_000_000, "2m"),
    ("150s", 150_000_000_000, "2m30s"), ("2m30.5s", 150_500_000_000, "2m30.5s"),
    ("90m", 5_400_000_000_000, "1h30m"), ("1h30m", 5_400_000_000_000, "1h30m"),
    ("1.5h", 5_400_000_000_000, "1h30m"), ("1h0m5s", 3_605_000_000_000, "1h5s"),
    ("24h", 86_400_000_000_000, "1d"), ("1d", 86_400_000_000_000, "1d"),
    ("36h", 129_600_000_000_000, "1d12h"),
    ("7d", 604_800_000_000_000, "1w"), ("1w1d", 691_200_000_000_000, "8d"),
    ("30d", 2_592_000_000_000_000, "30d"),
    ("-1h30m", -5_400_000_000_000, "-1h30m"), ("0.000000001s", 1, "1ns"),
    ("1.10000000000000000000s", 1_100_000_000, "1.1s"),
    ("0.0000152587890625w", 9_228_515_625, "9.228515625s"),
    ("106751d23h47m16.854775807s", .max, "106751d23h47m16.854775807s"),
    ("-106751d23h47m16.854775808s", .min, "-106751d23h47m16.854775808s"),
  ]

  @Test(arguments: pairs)
  func `a text means one length and prints in one way`(
    row: (text: String, nanoseconds: Int64, printed: String)
  ) throws {
    let length = try ElapsedTime(parsing: row.text)
    #expect(length.nanoseconds == row.nanoseconds)
    #expect(length.description == row.printed)
    #expect(try ElapsedTime(parsing: row.printed) == length)
  }

  static let refusals: [(text: String, offset: Int, reason: String, suggestion: String?)] = [
    ("", 0, "a number is expected", nil),
    ("-", 1, "a number is expected", nil),
    ("30", 2, "a unit (w, d, h, m, s, ms, us or ns) is expected", "30s"),
    ("0", 1, "a unit (w, d, h, m, s, ms, us or ns) is expected", "0s"),
    ("s", 0, "a number is expected", nil),
    ("+5s", 0, "a number is expected", "5s"),
    ("90sec", 3, "a number or the end is expected", "90s"),
    ("1h 30m", 2, "a number or the end is expected", "1h30m"),
    ("1 hour, 30 minutes", 1, "a unit (w, d, h, m, s, ms, us or ns) is expected", "1h30m"),
    ("5M", 1, "a unit (w, d, h, m, s, ms, us or ns) is expected", "5m"),
    ("5min", 2, "a number or the end is expected", "5m"),
    ("PT90S", 0, "a number is expected", "90s"),
    ("30m1h", 4, "a unit smaller than \"m\" is expected", "1h30m"),
    ("1s1s", 3, "a unit smaller than \"s\" is expected", "2s"),
    ("1.s", 2, "a digit is expected after the point", "1s"),
    (".5s", 0, "a number is expected", "500ms"),
    ("1,5s", 1, "a unit (w, d, h, m, s, ms, us or ns) is expected", "1.5s"),
    ("1.5h30m", 4, "the end is expected", "2h"),
    ("1ns1ns", 3, "the end is expected", "2ns"),
    ("0.5ns", 1, "the fraction is finer than a nanosecond", nil),
    ("1.0000000001s", 1, "the fraction is finer than a nanosecond", nil),
    ("1y", 1, "a unit (w, d, h, m, s, ms, us or ns) is expected", nil),
    ("1h30", 4, "a unit (w, d, h, m, s, ms, us or ns) is expected", "1h30m"),
    ("293y", 3, "a unit (w, d, h, m, s, ms, us or ns) is expected", nil),
    ("106752d", 0, "the length passes the longest one, 292 years", nil),
    ("106751d24h", 7, "the length passes the longest one, 292 years", nil),
    ("99999999999999999999999s", 0, "the length passes the longest one, 292 years", nil),
    ("1m\u{1B}[31m", 2, "a number or the end is expected", nil),
    ("１s", 0, "a number is expected", nil),
  ]

  @Test(arguments: refusals)
  func `a refusal has the place, the reason and a suggestion`(
    row: (text: String, offset: Int, reason: String, suggestion: String?)
  ) throws {
    let error = try #require(throws: TextError.self) { try ElapsedTime(parsing: row.text) }
    #expect(error.offset == row.offset)
    #expect(error.reason == row.reason)
    #expect(error.suggestion == row.suggestion)
  }

  @Test func `a refusal reads as a sentence`() {
    func sentence(_ text: String) -> String? {
      do throws(TextError) {
        _ = try ElapsedTime(parsing: text)
        return nil
      } catch { return error.description }
    }
    #expect(
      sentence("90sec")
        == "\"90sec\" is not a length of time: at column 4 a number or the end is expected; did you mean \"90s\"?"
    )
    #expect(
      sentence("30")
        == "\"30\" is not a length of time: after its end a unit (w, d, h, m, s, ms, us or ns) is expected; did you mean \"30s\"?"
    )
    #expect(sentence("1m\u{1B}")?.contains("\u{1B}") == false)
    #expect(sentence(String(repeating: "9", count: 100_000))?.utf8.count ?? .max < 200)
  }

  @Test func `any length prints and parses to itself`() throws {
    let seed: UInt64 = 0x5EED_0001
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let length = ElapsedTime(nanoseconds: generator.anyInt64())
      #expect(try ElapsedTime(parsing: length.description) == length, "seed \(seed)")
    }
  }

  @Test func `no text makes the parser trap, and it accepts its own suggestions`() {
    let seed: UInt64 = 0x5EED_0002
    var generator = SeededGenerator(seed: seed)
    let alphabet =
      "0123456789.,-+ _wdhmsunµPTxé\u{0}\"".map(String.init) + [
        "min", "sec", "hours", "99999999999999999999",
      ]
    for _ in 0..<30_000 {
      let text = (0..<Int.random(in: 0...9, using: &generator))
        .map { _ in alphabet.randomElement(using: &generator) ?? "0" }.joined()
      do throws(TextError) {
        let length = try ElapsedTime(parsing: text)
        #expect((try? ElapsedTime(parsing: length.description)) == length, "\(text), seed \(seed)")
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text), seed \(seed)")
        #expect(
          error.suggestion.map { (try? ElapsedTime(parsing: $0)) != nil } ?? true, "\(text), seed \(seed)")
      }
    }
  }
}
