import TimelineCore
import TimelineSystem

/// Ends what a dead host has left behind: processes that went to sessions of their own and that no group reaches.
///
/// A host is the parent of all such processes while it lives, and kills them when it ends in order; who kills a host kills
/// them too. When a host dies by itself they come to this process.
final class OrphanReaper {
  private let loop: EventLoop
  private let isKnown: (Int32) -> Bool
  private let ended: (String) -> Void
  private var delay: Delay?
  private var pause = OrphanReaper.pauseFrom

  /// Pause from a plugin host's end to the search for processes that it left. Hosts that end together share one search, because a
  /// search reads every process and takes a millisecond or more.
  private static let pauseFrom = ElapsedTime.milliseconds(50)
  /// The longest time between two looks at what does not die, which hangs in the kernel.
  private static let pauseTo = ElapsedTime.seconds(5)

  /// Makes this process the one they come to. Children that `isKnown` knows are left alone; `ended` is told of the others.
  init(loop: EventLoop, isKnown: @escaping (Int32) -> Bool, ended: @escaping (String) -> Void) {
    self.loop = loop
    self.ended = ended
    // A shell that became this program by exec may have left it children of its own.
    let inherited = ProcessTree.children()
    self.isKnown = { inherited.contains($0) || isKnown($0) }
    // Before Linux 3.4 they go to process 1, and nobody can find them.
    try? CurrentProcess.becomeSubreaper()
  }

  /// A host has ended: kills those that it has left, and those that theirs turn out to be, until all are reaped.
  func lookAfter() {
    guard delay == nil else { return }
    delay = loop.after(pause) { [weak self] in self?.look() }
  }

  private func look() {
    delay = nil
    let (left, killed) = ProcessTree.endOrphans(except: isKnown)
    if !killed.isEmpty { ended(killed.listing) }
    guard left > 0 else {
      pause = Self.pauseFrom
      return
    }
    pause = min(pause * 2, Self.pauseTo)
    lookAfter()
  }
}
