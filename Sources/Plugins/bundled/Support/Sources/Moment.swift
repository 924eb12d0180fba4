import Glibc

/// Instants in RFC 3339, for people and programs.
public enum Moment {
  /// Returns the instant in RFC 3339 and UTC, with as many digits after the second as needed: `2027-03-14T07:00:00.25Z`.
  public static func text(nanosecondsSinceEpoch nanoseconds: Int64) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    write(nanosecondsSinceEpoch: nanoseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns an instant in RFC 3339 with a resolution of a millisecond, for people: `2027-03-14T07:00:00.250Z`.
  public static func shown(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    let fraction = text[point...].dropFirst().prefix { $0.isNumber }
    let digits = fraction.prefix(3) + String(repeating: "0", count: max(0, 3 - fraction.count))
    return text[..<point] + (digits == "000" ? "" : ".\(digits)") + text[fraction.endIndex...]
  }

  /// Appends the text of an instant with all its digits to `bytes`.
  public static func write(nanosecondsSinceEpoch nanoseconds: Int64, to bytes: inout [UInt8]) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    var moment = time_t(seconds)
    var civil = tm()
    gmtime_r(&moment, &civil)
    write(Int(civil.tm_year) + 1900, width: 4, to: &bytes)
    write(Int(civil.tm_mon) + 1, width: 2, after: "-", to: &bytes)
    write(Int(civil.tm_mday), width: 2, after: "-", to: &bytes)
    write(Int(civil.tm_hour), width: 2, after: "T", to: &bytes)
    write(Int(civil.tm_min), width: 2, after: ":", to: &bytes)
    write(Int(civil.tm_sec), width: 2, after: ":", to: &bytes)
    if rest != 0 {
      write(Int(rest), width: 9, after: ".", to: &bytes)
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Writes a number with a fixed width. All instants of 64 bits are in years of four digits.
  private static func write(
    _ number: Int, width: Int, after separator: Unicode.Scalar? = nil, to bytes: inout [UInt8]
  ) {
    if let separator { bytes.append(UInt8(ascii: separator)) }
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}
