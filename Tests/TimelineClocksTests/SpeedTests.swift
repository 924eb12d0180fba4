import Testing
import TimelineClocks
import TimelineTestSupport

@Suite struct SpeedTests {
  @Test(arguments: [
    ("0", Speed.paused), ("1", .normal), ("60", 60), ("0.5", 0.5), ("0.25", 0.25),
    ("2/4", 0.5), ("0.000000001", 0.000000001), ("1000000000", 1_000_000_000), ("0/7", 0),
  ])
  func `a speed is parsed exactly and prints as the same speed`(_ text: String, _ speed: Speed) throws {
    #expect(try Speed(parsing: text) == speed)
    #expect(try Speed(parsing: speed.description) == speed)
  }

  @Test(arguments: ["", "-1", "+1", "1e3", "x", "1/", "/2", "1.", ".5", "1.2.3", "1/2/3", "1/0.5", " 1", "٣"])
  func `an invalid speed is refused with the correction`(_ text: String) {
    let error = #expect(throws: SpeedError.self) { try Speed(parsing: text) }
    #expect(error == .malformed(text))
    #expect(error?.description.contains("write a number such as 60") == true)
  }

  @Test(arguments: ["1/0", "1000000001", "0.0000000001", "99999999999999999999", "1/2000000000"])
  func `a speed out of range is refused`(_ text: String) {
    #expect(throws: SpeedError.self) { try Speed(parsing: text) }
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (60, "60"), (0.1, "1/10"), (0.25, "1/4"), (3.14, "157/50"),
      (10.0 / 3, "10/3"), (1.0 / 3, "1/3"), (0.123456789, "123456789/1000000000"),
      (123_456.789, "123456789/1000"),
      (1e9, "1000000000"), (999_999_999.75, "1000000000"), (1e-9, "1/1000000000"), (4e-10, "1/1000000000"),
      (.leastNonzeroMagnitude, "1/1000000000"), (.pi, "817696623/260280919"),
    ] as [(Double, String)])
  func `a computed number becomes the nearest fraction`(_ number: Double, _ fraction: String) throws {
    #expect(try Speed(approximating: number).description == fraction)
    #expect(Speed(floatLiteral: number).description == fraction)
  }

  @Test(arguments: [-1, -1e-9, 1_000_000_001, 1e300, .infinity, -.infinity, .nan, .signalingNaN])
  func `a number that is not a speed is refused`(_ number: Double) {
    #expect(throws: SpeedError.self) { try Speed(approximating: number) }
  }

  @Test func `every position of a slider is a speed close to its number`() throws {
    var random = SeededGenerator(seed: 0x5EED)
    for exponent in -9...8 {
      for _ in 0..<1_000 {
        let number = Double.random(in: 1...10, using: &random) * pow(10, exponent)
        let speed = try Speed(approximating: number)
        let ratio = Double(speed.numerator) / Double(speed.denominator)
        // Two numbers of up to a billion are this near to any number between a billionth and a billion.
        #expect(abs(ratio - number) <= number * 1e-9, "\(number), seed \(random.seed)")
        #expect(Speed(floatLiteral: number) == speed)
      }
    }
  }

  @Test func `a literal beyond the limits is the nearest speed`() {
    let speeds: [(Speed, Speed)] = [
      (3.14159265358979, Speed(floatLiteral: 3.14159265358979)), (-1, .paused), (-0.5, .paused),
      (2_000_000_000, 1_000_000_000), (1e10, 1_000_000_000), (Speed(floatLiteral: .nan), .paused),
    ]
    for (literal, nearest) in speeds { #expect(literal == nearest) }
    #expect(Speed(floatLiteral: 3.14159265358979) != .paused)
  }

  /// Power of ten, by multiplication.
  private func pow(_ base: Double, _ exponent: Int) -> Double {
    let power = (0..<abs(exponent)).reduce(1.0) { product, _ in product * base }
    return exponent < 0 ? 1 / power : power
  }
}
