import TimelineControl

/// One client that is told of what happens for as long as it stays, and that never holds the daemon.
///
/// The number of replies that it has not read yet is bounded. Beyond the bound replies are counted instead of kept, until everything
/// before them was read; then it is told how many it lost. One that reads nothing at all is hung up on by its connection.
final class Watcher<Reply: Encodable> {
  private weak var connection: ControlConnection?
  private let call: VarlinkCall
  private let lost: (Int) -> Reply
  private var lostCount = 0

  /// Largest number of unread bytes, beside those that the kernel keeps: about 250 replies.
  private static var backlogMax: Int { 64 * 1024 }

  /// Makes a watcher; `lost` is the reply that tells how many replies were not sent.
  init(_ connection: ControlConnection, _ call: VarlinkCall, lost: @escaping (Int) -> Reply) {
    self.connection = connection
    self.call = call
    self.lost = lost
    connection.whenDrained = { [weak self] in self?.confess() }
  }

  /// Replies, or counts the reply as lost.
  func tell(_ reply: @autoclosure () -> Reply) {
    guard let connection else { return }
    guard lostCount == 0, connection.backlogBytes < Self.backlogMax else {
      lostCount += 1
      return
    }
    connection.reply(to: call, reply(), continues: true)
  }

  private func confess() {
    guard lostCount > 0 else { return }
    let count = lostCount
    lostCount = 0
    connection?.reply(to: call, lost(count), continues: true)
  }
}
