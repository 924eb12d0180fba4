internal import TimelineCore

/// Room for the run keys of many calls, side by side as C strings, in pieces that never move.
@safe final class RunKeys {
  private static let pieceLength = 64 << 10
  /// The longest key: a job's name, a stroke, an instant and the end.
  private static let lengthMax = JobName.lengthMax + 128

  private var pieces: [UnsafeMutablePointer<CChar>] = unsafe []
  private var used = RunKeys.pieceLength
  /// Text of the last instant, so that it is written once for many entries of one instant.
  private var last: (nominal: WallInstant, text: [CChar])?

  deinit {
    while let piece = unsafe pieces.popLast() { unsafe piece.deallocate() }
  }

  /// Writes the key of a job's entry, which stays where it is until ``removeAll()``.
  func add(_ job: UnsafePointer<CChar>, _ nominal: WallInstant) -> UnsafePointer<CChar> {
    if used + Self.lengthMax > Self.pieceLength {
      unsafe pieces.append(.allocate(capacity: Self.pieceLength))
      used = 0
    }
    if last?.nominal != nominal {
      last = (nominal, "/\(nominal)".utf8.map { CChar(bitPattern: $0) } + [0])
    }
    let key = unsafe pieces[pieces.count - 1] + used
    var length = 0
    while length < JobName.lengthMax, unsafe job[length] != 0 {
      unsafe (key + length).initialize(to: job[length])
      length += 1
    }
    if let last {
      unsafe last.text.withUnsafeBufferPointer { text in
        for place in text.indices { unsafe (key + length + place).initialize(to: text[place]) }
      }
      length += last.text.count
    }
    used += length
    return unsafe UnsafePointer(key)
  }

  /// Lets go of all keys but for the room of a few.
  func removeAll() {
    while unsafe pieces.count > 1 { unsafe pieces.removeLast().deallocate() }
    used = unsafe pieces.isEmpty ? Self.pieceLength : 0
  }
}
