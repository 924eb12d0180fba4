import TimelineControl
import TimelineCore
import TimelineSystem

/// A reply that is a list, which may be long.
///
/// A client that asks for more gets it in portions, each made in a loop iteration of its own, when nothing is due soon and the client has
/// taken most of what came before: however long it is, no start waits for more than a portion, and little memory is held. Anybody
/// else gets it at once and whole.
final class PagedReply<Reply: Encodable> {
  private let call: VarlinkCall
  private weak var connection: ControlConnection?
  private let daemon: Daemon
  private let count: Int
  private let portionCount: Int
  private let portion: (Range<Int>) -> Reply
  private let latest: WallInstant
  private var toldCount = 0

  /// Time for which a portion holds the loop; nothing may be due for as long.
  private static var length: ElapsedTime { .milliseconds(2) }
  /// Time for which portions are put off for due work; after it a busy daemon makes them in between.
  private static var patience: ElapsedTime { .seconds(1) }
  /// Number of unread bytes up to which the next portion is made.
  private static var backlogMax: Int { 64 * 1024 }

  /// Makes a reply of `count` elements; `portion` gives those in a range, and is asked for each range once, in order. Making and
  /// writing `portionCount` of them must take less than ``length``.
  init(
    to call: VarlinkCall, on connection: ControlConnection, of daemon: Daemon, count: Int,
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

  /// Replies, now or bit by bit.
  func begin() {
    if call.wantsMore { return tell() }
    connection?.reply(to: call, portion(0..<count))
  }

  private func tell() {
    guard let connection else { return }
    let delay = IdleWindow.delay(
      of: Self.length, at: daemon.now, before: daemon.realDeadline, atLatest: latest)
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
