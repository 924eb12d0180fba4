extension [ProcessTree.Entry] {
  /// Processes that are named in one line: enough to identify them, few enough to read.
  private static var namedMax: Int { 8 }

  /// The number, the names and the process numbers in one line: `2 processes: sleep (pid 7), sh (pid 9)`.
  package var listing: String {
    let named = sorted { $0.process < $1.process }.prefix(Self.namedMax)
      .map { "\($0.name) (pid \($0.process))" }.joined(separator: ", ")
    let more = count > Self.namedMax ? " and \(count - Self.namedMax) more" : ""
    return "\(count) \(count == 1 ? "process" : "processes"): \(named)\(more)"
  }
}
