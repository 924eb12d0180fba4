import TimelineCore
import TimelineSystem

/// Ends the processes that a dead host left in sessions of their own, where no signal to a process group reaches them.
///
/// While a host runs, it is the parent of these processes and kills them when it ends normally. If the daemon kills the
/// host, the daemon kills these processes too. If a host dies by itself, these processes become children of the daemon.
final class OrphanReaper {
  private let loop: EventLoop
  private let isKnown: (Int32) -> Bool
  private let ended: (String) -> Void
  private var delay: Delay?
  private var pause = OrphanReaper.pauseFrom

  /// Pause between a plugin host's end and the search for processes that it left. Hosts that end together share one search,
  /// because a search reads every process and takes 1 ms or more.
  private static let pauseFrom = ElapsedTime.milliseconds(50)
  /// The longest time between two checks of a process that does not end, because it hangs in the kernel.
  private static let pauseTo = ElapsedTime.seconds(5)

  /// Makes this process the subreaper. Children for which `isKnown` returns true are not killed. `ended` is called with a
  /// text that lists the killed children.
  init(loop: EventLoop, isKnown: @escaping (Int32) -> Bool, ended: @escaping (String) -> Void) {
    self.loop = loop
    self.ended = ended
    // A shell that executed this program may have left child processes to it.
    let inherited = ProcessTree.children()
    self.isKnown = { inherited.contains($0) || isKnown($0) }
    // Before Linux 3.4, orphans become children of process 1 and cannot be found.
    try? CurrentProcess.becomeSubreaper()
  }

  /// Starts the search after the end of a host. The search kills orphans and their descendants until all are reaped.
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
