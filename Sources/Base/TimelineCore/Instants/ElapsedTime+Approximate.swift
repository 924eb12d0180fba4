extension ElapsedTime {
  /// The approximate length for people: three digits and one unit, such as `210us`, `1.93ms` or `4.02s`;
  /// from a minute on whole seconds, such as `1m30s`.
  public var approximateText: String {
    if nanoseconds < 0 { return "-" + (.zero - self).approximateText }
    let units: [(name: String, nanoseconds: Int64)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000),
    ]
    if nanoseconds >= 60 * 1_000_000_000 { return Self.approximateText(seconds: nanoseconds / 1_000_000_000) }
    guard let unit = units.first(where: { nanoseconds >= $0.nanoseconds }) else { return "\(nanoseconds)ns" }
    let hundredths = nanoseconds / (unit.nanoseconds / 100)
    let (whole, fraction) = hundredths.quotientAndRemainder(dividingBy: 100)
    switch whole {
    case 100...: return "\(whole)\(unit.name)"
    case 10...: return "\(whole).\(fraction / 10)\(unit.name)"
    default: return "\(whole).\(fraction < 10 ? "0" : "")\(fraction)\(unit.name)"
    }
  }

  /// ``approximateText`` with a sign, also if the length is positive: `+2h`, `-2h`, `0ns`.
  package var signedApproximateText: String { (self > .zero ? "+" : "") + approximateText }

  /// The approximate text of whole seconds, at least a minute; `seconds` can exceed the range of ``ElapsedTime``.
  public static func approximateText(seconds: Int64) -> String {
    let parts: [(name: String, count: Int64)] = [
      ("d", seconds / 86_400), ("h", seconds / 3_600 % 24), ("m", seconds / 60 % 60),
      ("s", seconds % 60),
    ]
    return parts.filter { $0.count > 0 }.map { "\($0.count)\($0.name)" }.joined()
  }
}
