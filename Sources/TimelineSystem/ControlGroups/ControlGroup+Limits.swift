internal import CTimelineSystem
internal import Glibc
package import TimelineCore

// Limits of all processes in a group together.
extension ControlGroup {
  /// A limit that could not be set.
  package struct LimitFault: Error, Sendable, Hashable {
    /// The key of the limit in a configuration.
    package let key: String
    /// The reason.
    package let error: SystemError
  }

  /// The threads of a plugin host, which are there before its run does anything: the main one and the watcher.
  static let hostThreadCount = 2
  /// The period in which a share of processor time is counted, in microseconds: that of the kernel, of 100 ms.
  static let periodMicroseconds = 100_000

  /// The files of limits, which are the only ones that ``restoreLimits()`` writes.
  private static let files = (memory: "memory.max", processor: "cpu.max", tasks: "pids.max")
  /// Extended attribute with the limits, for a daemon that turns controllers on again: off, they have no limits.
  private static let mark = "user.timelined.limits"

  /// Sets each limit that can be set, and returns the others. A limit whose controller is off has no file.
  package func set(_ limits: RunLimits) -> [LimitFault] {
    var values: [(key: String, file: String, value: String)] = []
    if let bytes = limits.memoryBytes { values.append(("memory", Self.files.memory, "\(bytes)")) }
    if let percent = limits.processorPercent {
      let quota = percent * Self.periodMicroseconds / 100
      values.append(("cpu", Self.files.processor, "\(quota) \(Self.periodMicroseconds)"))
    }
    if let count = limits.taskCount {
      values.append(("tasks", Self.files.tasks, "\(count + Self.hostThreadCount)"))
    }
    guard !values.isEmpty else { return [] }
    let text = values.map { "\($0.file) \($0.value)" }.joined(separator: "\n")
    _ = unsafe timeline_set_attribute(directory, Self.mark, text)
    return values.compactMap { key, file, value in
      do throws(SystemError) {
        try write(value, to: file)
        return nil
      } catch {
        return LimitFault(key: key, error: error)
      }
    }
  }

  /// Sets the limits again that were set once, as far as they can be set.
  func restoreLimits() {
    guard let text = unsafe timeline_attribute(directory, Self.mark) else { return }
    defer { unsafe free(text) }
    for line in unsafe String(cString: text).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2,
        [Self.files.memory, Self.files.processor, Self.files.tasks].contains(String(words[0]))
      else { continue }
      try? write(String(words[1]), to: String(words[0]))
    }
  }

  /// Its limit of memory; `nil` if it has none.
  package var memoryLimit: UInt64? { number(in: Self.files.memory) }
}
