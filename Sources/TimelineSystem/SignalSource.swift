internal import CTimelineSystem
internal import Glibc

/// Signals as events of a loop. The C function is `signalfd`.
///
/// The signals are blocked in the thread that makes the source, and in threads started afterwards; so make it before
/// any other thread, or a signal may land there and do its default. Signals of one kind that come together are
/// reported once. Letting go of the source unblocks them in the thread that does.
package final class SignalSource {
  private let descriptor: FileDescriptor
  private let numbers: [CInt]
  private let handler: (Signal) -> Void
  private var watch: Watch?

  /// Blocks `signals` and calls `handler` on the loop's thread for each that comes.
  package init(
    loop: EventLoop, signals: [Signal], handler: @escaping (Signal) -> Void
  ) throws(SystemError) {
    let numbers = signals.map(\.rawValue)
    self.numbers = numbers
    self.handler = handler
    descriptor = FileDescriptor(
      owning: try SystemCall.check("signalfd") {
        unsafe timeline_signal_open(numbers, CInt(numbers.count))
      })
    watch = try loop.watch(descriptor.rawValue, for: .reading) { [weak self] _ in self?.read() }
  }

  deinit {
    watch?.cancel()
    _ = unsafe timeline_signal_unblock(numbers, CInt(numbers.count))
  }

  private func read() {
    let number = descriptor.rawValue
    do {
      guard let signal = try SystemCall.attempt("read", { timeline_signal_read(number) }) else { return }
      handler(Signal(rawValue: signal))
    } catch {
      fatalError("\(error)")
    }
  }
}
