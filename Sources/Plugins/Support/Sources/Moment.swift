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
    var writer = DigitWriter()
    writer.write(Int(civil.tm_year) + 1900, width: 4)
    writer.write(Int(civil.tm_mon) + 1, width: 2, after: "-")
    writer.write(Int(civil.tm_mday), width: 2, after: "-")
    writer.write(Int(civil.tm_hour), width: 2, after: "T")
    writer.write(Int(civil.tm_min), width: 2, after: ":")
    writer.write(Int(civil.tm_sec), width: 2, after: ":")
    if rest != 0 {
      writer.write(Int(rest), width: 9, after: ".")
      writer.dropZeros()
    }
    writer.write("Z")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Numbers of a fixed width, one after the other. Instants of 64 bits are in years of four digits.
private struct DigitWriter {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(32) }

  mutating func write(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  mutating func write(_ number: Int, width: Int, after separator: Unicode.Scalar? = nil) {
    if let separator { write(separator) }
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  mutating func dropZeros() {
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }
}
