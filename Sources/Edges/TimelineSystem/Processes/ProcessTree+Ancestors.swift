extension ProcessTree {
  /// Limit of generations: nested shells in a pipeline have few, and the caller must not wait long.
  private static let generationsMax = 32

  /// Returns the ancestors of a process, its parent first, as far as `/proc` shows them.
  package static func ancestors(of process: Int32) -> [Int32] {
    var found: [Int32] = []
    var last = process
    while found.count < generationsMax, last > 1,
      let contents = try? FileContents.read("/proc/\(last)/stat", limit: SystemLimits.processFactsBytesMax),
      let entry = Entry(process: last, facts: contents.bytes[...])
    {
      found.append(entry.parent)
      last = entry.parent
    }
    return found
  }
}
