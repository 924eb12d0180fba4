import TimelineCore
import TimelineSystem

/// Removes the control groups of hosts that are gone, with what is left in them.
///
/// A process that a host has left behind may have gone to process 1, because the daemon that started the host is gone too. It is
/// still in its group.
final class GroupRemover {
  private let loop: EventLoop
  private let delegated: DelegatedGroup
  private let used: () -> Set<ControlGroup>
  private var dead: Set<ControlGroup> = []
  private var delay: Delay?
  private var pause = GroupRemover.pauseFrom

  /// Pause from a host's end to the removal: hosts that end together share one, and what they have left is named in the log by
  /// ``OrphanReaper`` first.
  private static let pauseFrom = ElapsedTime.milliseconds(200)
  /// Pause after which no further attempt follows: a group whose processes hang in the kernel for so long, or in which its run has made
  /// groups of its own, is tried again when another host ends.
  private static let pauseTo = ElapsedTime.seconds(5)

  /// Removes groups in `delegated`, and soon those that a daemon before this one has left empty; `used` gives the groups of hosts that live.
  init(loop: EventLoop, delegated: DelegatedGroup, used: @escaping () -> Set<ControlGroup>) {
    self.loop = loop
    self.delegated = delegated
    self.used = used
    removeSoon()
  }

  /// Kills what is left in the group of a host that is gone, and removes the group.
  func remove(_ group: ControlGroup) {
    dead.insert(group)
    removeSoon()
  }

  private func removeSoon() {
    guard delay == nil else { return }
    delay = loop.after(pause) { [weak self] in self?.removeNow() }
  }

  private func removeNow() {
    delay = nil
    for group in dead {
      _ = group.kill()
      if group.remove() { dead.remove(group) }
    }
    // Those of leftovers that were kept, and have ended since, are found when the next host ends.
    delegated.removeEmptyGroups(except: used())
    pause = pause * 2
    guard !dead.isEmpty, pause < Self.pauseTo else {
      pause = Self.pauseFrom
      return
    }
    removeSoon()
  }
}
