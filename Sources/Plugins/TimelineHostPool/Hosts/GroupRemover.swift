import TimelineCore
import TimelineSystem

/// Removes the control groups of hosts that have ended, and kills the processes that are left in these groups.
///
/// The daemon that started a host may have ended. Then a process that the host has left behind is a child of process 1, but
/// still in the host's group.
final class GroupRemover {
  private let loop: EventLoop
  private let delegated: DelegatedGroup
  private let used: () -> Set<ControlGroup>
  private var dead: Set<ControlGroup> = []
  private var delay: Delay?
  private var pause = GroupRemover.pauseFrom

  /// Pause between a host's end and the removal. Hosts that end together share one removal, and ``OrphanReaper`` has time
  /// to log the processes first.
  private static let pauseFrom = ElapsedTime.milliseconds(200)
  /// Longest pause between two attempts. A group that still exists then (its processes hang in the kernel, or its run has
  /// made groups of its own) is tried again when another host ends.
  private static let pauseTo = ElapsedTime.seconds(5)

  /// Makes a remover for groups in `delegated`. It soon removes the empty groups of an earlier daemon. `used` returns the
  /// groups of active hosts.
  init(loop: EventLoop, delegated: DelegatedGroup, used: @escaping () -> Set<ControlGroup>) {
    self.loop = loop
    self.delegated = delegated
    self.used = used
    removeSoon()
  }

  /// Kills the processes in the group of a host that has ended, and removes the group.
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
    // If kept leftovers have ended since the last removal, their groups are empty now.
    delegated.removeEmptyGroups(except: used())
    pause = pause * 2
    guard !dead.isEmpty, pause < Self.pauseTo else {
      pause = Self.pauseFrom
      return
    }
    removeSoon()
  }
}
