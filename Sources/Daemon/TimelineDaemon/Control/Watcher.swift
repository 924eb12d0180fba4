import TimelineControl

/// Client that receives events as long as it stays connected, and never blocks the daemon.
///
/// The amount of unread replies is bounded. Beyond the bound, replies are counted instead of sent. The client receives the number
/// of lost replies as soon as it has read all earlier replies. If the client reads nothing at all, its connection closes itself.
final class Watcher<Reply: Encodable> {
  private weak var connection: ControlConnection?
  private let call: VarlinkCall
  private let lost: (Int) -> Reply
  private var lostCount = 0

  /// Largest number of unread bytes, beside those in the kernel's buffer: about 250 replies.
  private static var backlogMax: Int { 64 * 1024 }

  /// Makes a watcher; `lost` returns the reply for a number of replies that were not sent.
  init(_ connection: ControlConnection?, _ call: VarlinkCall, lost: @escaping (Int) -> Reply) {
    self.connection = connection
    self.call = call
    self.lost = lost
    connection?.whenDrained = { [weak self] in self?.reportLost() }
  }

  /// Sends a reply, or counts it as lost.
  func tell(_ reply: @autoclosure () -> Reply) {
    guard let connection else { return }
    guard lostCount == 0, connection.backlogBytes < Self.backlogMax else {
      lostCount += 1
      return
    }
    connection.reply(to: call, reply(), continues: true)
  }

  private func reportLost() {
    guard lostCount > 0 else { return }
    let count = lostCount
    lostCount = 0
    connection?.reply(to: call, lost(count), continues: true)
  }
}
