/// Resources that a run, or one of its attempts, has used. `nil` is unknown.
package struct RunUsage: Sendable, Hashable {
  /// Processor time of all processes.
  package var processorTime: ElapsedTime?
  /// The most memory that all processes had at one time.
  package var memoryPeak: MemoryPeak?

  package init(processorTime: ElapsedTime? = nil, memoryPeak: MemoryPeak? = nil) {
    self.processorTime = processorTime
    self.memoryPeak = memoryPeak
  }

  /// The usage of a run without attempts.
  package static let none = RunUsage(processorTime: .zero, memoryPeak: MemoryPeak(bytes: 0))

  /// Adds the usage of a further attempt. A figure that is unknown for one attempt is unknown for the run.
  package mutating func add(_ attempt: RunUsage) {
    processorTime = processorTime.flatMap { former in attempt.processorTime.map { former + $0 } }
    memoryPeak = memoryPeak.flatMap { former in attempt.memoryPeak.map { max(former, $0) } }
  }
}

/// The most memory that a run had at one time, or an upper bound.
package struct MemoryPeak: Sendable, Hashable, Comparable {
  package var bytes: UInt64
  /// Whether the figure is an upper bound: the kernel records only the peak of the plugin host, which an earlier run
  /// may have reached.
  package var isBound: Bool

  package init(bytes: UInt64, isBound: Bool = false) {
    self.bytes = bytes
    self.isBound = isBound
  }

  /// Orders peaks by their bytes. Of two peaks with equal bytes, an upper bound is less than an exact figure.
  package static func < (left: MemoryPeak, right: MemoryPeak) -> Bool {
    left.bytes != right.bytes ? left.bytes < right.bytes : left.isBound && !right.isBound
  }

  /// The peak for people, in MiB, marked if it is a bound: `at most 12.5 MiB`.
  package var text: String {
    let tenths = (bytes + 52_428) / 104_858
    return "\(isBound ? "at most " : "")\(tenths / 10).\(tenths % 10) MiB"
  }
}
