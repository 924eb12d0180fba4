import Glibc

/// Instants as people and programs read them.
public enum Moment {
  /// RFC 3339 in UTC, with as many digits after the second as the instant has: `2027-03-14T07:00:00.25Z`.
  public static func text(nanosecondsSinceEpoch nanoseconds: Int64) -> String {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    var moment = time_t(seconds)
    var civil = tm()
    gmtime_r(&moment, &civil)
    let date =
      "\(digits(Int(civil.tm_year) + 1900, 4))-\(digits(Int(civil.tm_mon) + 1, 2))-\(digits(Int(civil.tm_mday), 2))"
    let time =
      "\(digits(Int(civil.tm_hour), 2)):\(digits(Int(civil.tm_min), 2)):\(digits(Int(civil.tm_sec), 2))"
    guard rest != 0 else { return "\(date)T\(time)Z" }
    var fraction = digits(Int(rest), 9)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(date)T\(time).\(fraction)Z"
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
