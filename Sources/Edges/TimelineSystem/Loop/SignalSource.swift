internal import CTimelineSystem
internal import Glibc

/// A process that sent a signal, as reported by the kernel; it may have ended since.
package struct SignalSender: Sendable, Hashable {
  package var pid: CInt
  /// Its real user.
  package var user: UInt32
}

/// Signals as events of a loop. The C function is `signalfd`.
///
/// The signals are blocked in the thread that makes the source, and in threads started afterwards. So make the source before any
/// other thread; otherwise a signal may be delivered to that thread, with its default action. Signals of one kind that come
/// together are reported once. Releasing the source unblocks the signals in the releasing thread.
package final class SignalSource {
  private let descriptor: FileDescriptor
  private let numbers: [CInt]
  private let handler: (Signal) -> Void
  private var watch: Watch?
  /// The sender of the last signal that the handler was called for; `nil` if the kernel sent it, as after Ctrl-C.
  package private(set) var sender: SignalSender?

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
    var (pid, user): (CInt, UInt32) = (0, 0)
    do {
      guard
        let signal = try SystemCall.attempt("read", { unsafe timeline_signal_read(number, &pid, &user) })
      else { return }
      sender = pid > 0 ? SignalSender(pid: pid, user: user) : nil
      handler(Signal(rawValue: signal))
    } catch {
      fatalError("\(error)")
    }
  }
}
