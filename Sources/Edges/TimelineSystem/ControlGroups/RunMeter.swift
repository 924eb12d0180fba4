internal import Glibc
package import TimelineCore

/// Meter of the usage of a control group's processes from a call of a plugin to the end of its run.
///
/// A plugin host makes one run after the other in the same group, but the kernel counts for the group as a whole.
package struct RunMeter: ~Copyable {
  /// Figures at the end of a run.
  package struct Reading: Sendable, Hashable {
    /// The run's usage, as far as it is known.
    package var usage = RunUsage()
    /// The kind of memory shortage for which the kernel killed a process of the run; `nil` if it killed none.
    package var shortage: MemoryShortage?
  }

  private let group: ControlGroup
  /// Processor time at the call; `nil` between runs, and for a run that an earlier daemon began.
  private var processorTimeAtCall: ElapsedTime?
  private var peak = PeakMeter()
  private var formerEvents = MemoryEvents()
  /// The file with the group's memory peak, if the kernel can reset the peak (Linux 6.12). A reset applies only to reads of this
  /// descriptor.
  private var resettablePeak: FileDescriptor?
  private var isNew = true

  /// Makes the meter of a group in which no run has begun, or in which an earlier daemon began a run.
  package init(of group: ControlGroup) { self.group = group }

  /// Records the figures at the call of a plugin.
  package mutating func begin() {
    processorTimeAtCall = group.processorTime
    if isNew { resettablePeak = group.openPeak() }
    isNew = false
    if let number = resettablePeak?.rawValue, !ControlGroup.reset(number) { resettablePeak = nil }
  }

  /// Returns the figures of the run that is over; `nil` if there is nothing new to report.
  package mutating func end() -> Reading? {
    var reading = Reading()
    let events = group.memoryEvents
    if let events { reading.shortage = events.shortage(since: formerEvents) }
    formerEvents = events ?? formerEvents
    // A run that an earlier daemon began may have raised the peak of the group, so the peak is read after it, too.
    let risen = resettablePeak == nil ? group.memoryPeak.map { peak.peak(now: $0) } : nil
    guard let before = processorTimeAtCall else { return reading.shortage == nil ? nil : reading }
    processorTimeAtCall = nil
    reading.usage.processorTime = group.processorTime.map { max(.zero, $0 - before) }
    if let number = resettablePeak?.rawValue {
      reading.usage.memoryPeak = ControlGroup.peak(number).map { MemoryPeak(bytes: $0) }
    } else {
      reading.usage.memoryPeak = risen
    }
    return reading
  }
}

/// Derives the memory peak of each run from the peak of its group, which never falls.
struct PeakMeter {
  private var former: UInt64 = 0

  /// Returns the memory peak of a run; `bytes` is the figure after the run. If the run did not raise the figure, the result is an
  /// upper bound.
  mutating func peak(now bytes: UInt64) -> MemoryPeak {
    defer { former = bytes }
    return MemoryPeak(bytes: bytes, isBound: bytes <= former)
  }
}

// The memory of a group.
extension ControlGroup {
  /// Memory peak of the group's processes in bytes; `nil` without the controller, and before Linux 5.19.
  var memoryPeak: UInt64? { number(in: "memory.peak") }

  /// Events of memory shortage of the group; `nil` without the controller.
  var memoryEvents: MemoryEvents? { contents(of: "memory.events").map(MemoryEvents.init(reading:)) }

  /// Returns the number in one of the group's files; `nil` if the file has a word instead, such as `max`.
  func number(in file: String) -> UInt64? {
    contents(of: file).flatMap { UInt64($0.filter { $0 != "\n" }) }
  }

  /// Opens the file of the peak for resets.
  fileprivate func openPeak() -> FileDescriptor? {
    let number = unsafe open("\(directory)/memory.peak", O_RDWR | O_CLOEXEC)
    return number < 0 ? nil : FileDescriptor(owning: number)
  }

  /// Resets the peak to the present usage, for reads of the descriptor. Returns `false` if the kernel cannot do this.
  fileprivate static func reset(_ descriptor: CInt) -> Bool {
    unsafe pwrite(descriptor, "reset\n", 6, 0) == 6
  }

  /// Reads the peak since the last reset.
  fileprivate static func peak(_ descriptor: CInt) -> UInt64? {
    // 20 digits and the end of the line.
    var bytes: InlineArray<24, UInt8> = .init(repeating: 0)
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    var value: UInt64?
    for index in 0..<max(0, count) where (0x30...0x39).contains(bytes[index]) {
      value = (value ?? 0) &* 10 &+ UInt64(bytes[index] - 0x30)
    }
    return value
  }
}
