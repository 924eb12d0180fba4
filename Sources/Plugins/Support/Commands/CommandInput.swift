import Glibc
import Synchronization

/// The standard input of a command that takes lines while it runs.
///
/// Nobody waits for the command to read: what its pipe has no room for is kept, and written when there is room.
package final class CommandInput: Sendable {
  private struct State {
    /// -1 once it is closed.
    var descriptor: Int32
    var rest: ArraySlice<UInt8> = []
  }

  private let state: Mutex<State>

  init(owning descriptor: Int32) {
    state = Mutex(State(descriptor: descriptor))
  }

  deinit { close() }

  /// The descriptor, if something waits for room in it; otherwise -1.
  var waiting: Int32 { state.withLock { $0.rest.isEmpty ? -1 : $0.descriptor } }

  /// Sends a line, which has no line end in it, after those that were sent before.
  package func send(_ line: String) {
    state.withLock { state in
      state.rest += Array(line.utf8) + [0x0A]
      Self.flush(&state)
    }
  }

  /// Writes what there is room for.
  func flush() { state.withLock { Self.flush(&$0) } }

  /// Ends the input: the command reads to its end.
  package func close() {
    state.withLock { state in
      if state.descriptor >= 0 { Glibc.close(state.descriptor) }
      state = State(descriptor: -1)
    }
  }

  private static func flush(_ state: inout State) {
    guard state.descriptor >= 0 else { return state.rest.removeAll() }
    while !state.rest.isEmpty {
      let written = state.rest.withUnsafeBytes { write(state.descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN { return }
      // Nobody reads it any more; the way in which the command ends says whether that was right.
      guard written > 0 else { return state.rest.removeAll() }
      state.rest = state.rest.dropFirst(written)
    }
  }
}
