internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// A stream of bytes that is read and written without waiting: a Unix stream socket, or one end of a pipe.
package final class ByteStream {
  /// The result of a read.
  package enum Reading: Sendable, Hashable {
    /// At least one byte.
    case bytes([UInt8])
    /// Nothing yet.
    case wouldBlock
    /// The other side will not write any more, or is gone.
    case endOfFile
  }

  /// The result of a write.
  package enum Writing: Sendable, Hashable {
    /// The kernel has accepted this number of bytes from the beginning.
    case wrote(Int)
    /// There is no room; nothing was written. Watch for `.writing` and try again.
    case wouldBlock
    /// The other side does not read any more; nothing was written.
    case peerClosed
  }

  private var descriptor: FileDescriptor?
  /// False once the descriptor has turned out to be no socket.
  private var maybeSocket = true
  /// The number to watch or to pass to a child; -1 once closed.
  package private(set) var rawValue: CInt

  /// Takes over a descriptor, which keeps its blocking mode.
  package init(owning descriptor: consuming FileDescriptor) {
    rawValue = descriptor.rawValue
    self.descriptor = consume descriptor
  }

  deinit { close() }

  /// Makes a pipe. The reading end does not block. The writing end blocks, as the programs that write to it expect.
  package static func pipe() throws(SystemError) -> (reading: ByteStream, writing: ByteStream) {
    var numbers: [CInt] = [-1, -1]
    try SystemCall.check("pipe2") { unsafe timeline_pipe(&numbers) }
    return (
      ByteStream(owning: FileDescriptor(owning: numbers[0])),
      ByteStream(owning: FileDescriptor(owning: numbers[1]))
    )
  }

  /// Whether there are bytes to read now; cheaper than a read, but does not show the end of the stream.
  package var hasBytes: Bool { rawValue >= 0 && timeline_readable_bytes(rawValue) > 0 }

  /// Reads the available bytes, at most `limit`. Throws `EPROTO` if descriptors were passed along; the bytes are lost in this
  /// case.
  package func read(atMost limit: Int) throws(SystemError) -> Reading {
    precondition(limit > 0, "Reading nothing would look like the end.")
    guard rawValue >= 0 else { return .endOfFile }
    let number = rawValue
    var outcome = Outcome.value(0)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      outcome = unsafe read(number, into: UnsafeMutableRawBufferPointer(buffer))
      if case .value(let read) = outcome { count = read }
    }
    switch outcome {
    case .value(0): return .endOfFile
    case .value: return .bytes(bytes)
    case .wouldBlock: return .wouldBlock
    case .failure(let error) where error.code == ECONNRESET: return .endOfFile
    case .failure(let error): throw error
    }
  }

  /// Writes as much as there is room for; never raises SIGPIPE on a socket.
  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Writing {
    guard rawValue >= 0 else { return .peerClosed }
    let number = rawValue
    if bytes.isEmpty { return .wrote(0) }
    do {
      let written = try SystemCall.attempt("write", about: "descriptor \(number)") {
        unsafe bytes.withUnsafeBytes { unsafe timeline_stream_write(number, $0.baseAddress, $0.count) }
      }
      return written.map { .wrote($0) } ?? .wouldBlock
    } catch  where error.code == EPIPE || error.code == ECONNRESET {
      return .peerClosed
    }
  }

  /// Waits until a read or a write would not block, for at most `limit` (`nil`: forever). Returns whether it would not block.
  ///
  /// For programs that have nothing else to do; the daemon uses a watch instead.
  package func wait(toWrite: Bool, atMost limit: ElapsedTime?) throws(SystemError) -> Bool {
    guard rawValue >= 0 else { return true }
    let number = rawValue
    let deadline = limit.map { SystemTime.monotonic() + $0 }
    while true {
      let left = deadline.map { max($0 - SystemTime.monotonic(), .zero).nanoseconds } ?? -1
      let count = timeline_wait_ready(number, toWrite ? 1 : 0, left)
      if count >= 0 { return count > 0 }
      if errno != EINTR { throw SystemError(code: errno, call: "ppoll", subject: "descriptor \(number)") }
    }
  }

  /// Makes reads and writes return at once (the usual state of a socket here), or wait.
  package func setNonBlocking(_ isNonBlocking: Bool) {
    guard rawValue >= 0 else { return }
    FileDescriptor.setNonBlocking(rawValue, isNonBlocking)
  }

  /// Closes this end now, not only when the last reference is released. Cancel its watch first. May be called twice.
  package func close() {
    rawValue = -1
    guard let descriptor = descriptor.take() else { return }
    if maybeSocket && DescriptorKind(of: descriptor.rawValue) == .socket {
      timeline_socket_close(descriptor.release())
    }
  }

  private enum Outcome {
    case value(Int)
    case wouldBlock
    case failure(SystemError)
  }

  private func read(_ number: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    do throws(SystemError) {
      if maybeSocket {
        var passed: CInt = 0
        do throws(SystemError) {
          let count = try SystemCall.attempt("recvmsg", about: "descriptor \(number)") {
            unsafe timeline_stream_receive(number, buffer.baseAddress, buffer.count, &passed)
          }
          if passed != 0 { return .failure(.passedDescriptors(on: "descriptor \(number)")) }
          return count.map { .value($0) } ?? .wouldBlock
        } catch  where error.code == ENOTSOCK {
          maybeSocket = false
        }
      }
      let count = try SystemCall.attempt("read", about: "descriptor \(number)") {
        unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
      }
      return count.map { .value($0) } ?? .wouldBlock
    } catch {
      return .failure(error)
    }
  }
}
