import TimelineControl
import TimelineCore
import TimelineSystem

/// Reply with a list that may be long.
///
/// A client that accepts more than one reply gets the list in portions. Each portion is made in a separate iteration of the loop,
/// when nothing is due soon and the client has read most of the portions before. So no start waits for more than one portion, and
/// little memory is used. Any other client gets the whole list at once.
final class PagedReply<Reply: Encodable> {
  private let call: VarlinkCall
  private weak var connection: ControlConnection?
  private let daemon: Daemon
  private let count: Int
  private let portionCount: Int
  private let portion: (Range<Int>) -> Reply
  private let latest: WallInstant
  private var toldCount = 0

  /// Time for which a portion occupies the loop. A portion is made only if nothing is due within that time.
  private static var length: ElapsedTime { .milliseconds(2) }
  /// Longest time for which portions are deferred for due work. After this time even a busy daemon makes the portions.
  private static var patience: ElapsedTime { .seconds(1) }
  /// Number of unread bytes up to which the next portion is made.
  private static var backlogMax: Int { 64 * 1024 }

  /// Makes a reply of `count` elements. `portion` returns the elements in a range, and is called once for each range, in order.
  /// Making and writing `portionCount` elements must take less than ``length``.
  init(
    to call: VarlinkCall, on connection: ControlConnection?, of daemon: Daemon, count: Int,
    portionCount: Int = 50,
    portion: @escaping (Range<Int>) -> Reply
  ) {
    self.call = call
    self.connection = connection
    self.daemon = daemon
    self.count = count
    self.portionCount = portionCount
    self.portion = portion
    latest = daemon.now + Self.patience
  }

  /// Replies at once, or begins to send portions.
  func begin() {
    if call.wantsMore { return tell() }
    connection?.reply(to: call, portion(0..<count))
  }

  private func tell() {
    guard let connection else { return }
    let delay = IdleWindow.delay(
      of: Self.length, at: daemon.now, before: daemon.engine.realDeadline, atLatest: latest)
    if let delay {
      daemon.loop.after(delay) { self.tell() }
      return
    }
    let range = toldCount..<min(toldCount + portionCount, count)
    toldCount = range.upperBound
    let isLast = toldCount == count
    connection.reply(to: call, portion(range), continues: !isLast)
    if isLast { return }
    if connection.backlogBytes <= Self.backlogMax { return goOn() }
    connection.whenDrained = { [weak connection] in
      connection?.whenDrained = nil
      self.goOn()
    }
  }

  private func goOn() { daemon.loop.atEndOfTurn { self.tell() } }
}
