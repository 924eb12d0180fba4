import Glibc
import Synchronization

/// The standard input of a command that reads lines while it runs.
///
/// Sending never blocks: bytes that do not fit into the pipe are kept, and written when the pipe has room.
package final class CommandInput: Sendable {
  private struct State {
    /// The pipe's descriptor; -1 after it was closed.
    var descriptor: Int32
    var rest: ArraySlice<UInt8> = []
  }

  private let state: Mutex<State>

  init(owning descriptor: Int32) {
    state = Mutex(State(descriptor: descriptor))
  }

  deinit { close() }

  /// The descriptor if bytes wait for room in the pipe; otherwise -1.
  var waiting: Int32 { state.withLock { $0.rest.isEmpty ? -1 : $0.descriptor } }

  /// Sends `line`, which must not contain a line end, after all earlier lines.
  package func send(_ line: String) {
    state.withLock { state in
      state.rest += Array(line.utf8) + [0x0A]
      Self.flush(&state)
    }
  }

  /// Writes as many bytes as the pipe has room for.
  func flush() { state.withLock { Self.flush(&$0) } }

  /// Closes the input, so that the command reads its end.
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
      // The command has closed its input; its exit status will show whether that was an error.
      guard written > 0 else { return state.rest.removeAll() }
      state.rest = state.rest.dropFirst(written)
    }
  }
}
