internal import Glibc
package import TimelineCore

/// Pressure stall information of the kernel, `/proc/pressure`: the share of time in which some work waited for a resource.
package enum PressureFile {
  package static let directory = "/proc/pressure"
  /// Largest number of bytes that are read of a file, which has two lines of about 60 bytes.
  private static let byteCountMax = 4_096

  /// Reads the share of the last ten seconds, in hundredths of a percent from 0 to 10,000.
  ///
  /// Throws the errors of `open` and `read`: kernels without the feature, or with `psi=0`, have no such file.
  package static func share(
    of resource: PressureResource, in directory: String = directory
  ) throws(SystemError) -> Int {
    let path = "\(directory)/\(resource.rawValue)"
    let contents = try FileContents.read(path, limit: byteCountMax)
    guard let share = share(in: String(decoding: contents.bytes, as: UTF8.self)) else {
      throw SystemError(
        code: EINVAL, call: "read", subject: path, remedy: "It has no line that begins with some avg10=.")
    }
    return share
  }

  /// Returns the share in the text of a file, in hundredths of a percent: `some avg10=12.34 avg60=…` is 1,234.
  package static func share(in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == "some", let word = words.first(where: { $0.hasPrefix("avg10=") }) else { continue }
      let parts = word.dropFirst("avg10=".count).split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].count == 2, let whole = Int(parts[0]), let rest = Int(parts[1]),
        (0...100).contains(whole), (0...99).contains(rest)
      else { return nil }
      return min(whole * 100 + rest, 10_000)
    }
    return nil
  }
}
