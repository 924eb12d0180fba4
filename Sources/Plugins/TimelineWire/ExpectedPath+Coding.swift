import TimelineCore

extension WireWriter {
  mutating func write(_ paths: [ExpectedPath]) {
    write(UInt16(clamping: paths.count))
    for path in paths { write(path.text) }
  }
}

extension WireReader {
  /// Reads at most `countMax` paths with at most `bytesMax` bytes each.
  mutating func paths(_ field: String, countMax: Int, bytesMax: Int) throws(WireError) -> [ExpectedPath] {
    let count = Int(try integer(UInt16.self))
    guard count <= countMax else { throw .tooMany(field: field, count: count, max: countMax) }
    var paths: [ExpectedPath] = []
    for _ in 0..<count { paths.append(ExpectedPath(try text(field, max: bytesMax))) }
    return paths
  }
}
