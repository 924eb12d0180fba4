// Controllers of the kernel, which limit and measure the groups of plugin hosts.
extension DelegatedGroup {
  /// Controllers that limits of runs need.
  package static let controllers = usualControllers + ["cpu"]
  /// The controllers that are always on: systemd has them on for every service, and they cost runs nothing. `cpu` makes the scheduler share the
  /// processor between groups before it does between processes.
  package static let usualControllers = ["memory", "pids"]
  /// The group that the daemon is in while controllers are on: the kernel has them on only for the groups of a group without processes.
  private static let daemonGroup = "daemon"
  /// The group in which systemd runs ExecReload= and ExecStopPost= of a service with Delegate=.
  private static let controlGroup = "/.control"

  /// Controllers that could be on for groups in this one. They are the kernel's whose hierarchy is that of version 2, and that systemd has on
  /// for the service.
  package var availableControllers: Set<String> { ControlGroup(at: directory).controllers }

  /// Turns on those of `controllers` that are available, and moves this process into a group of its own for that. Groups of
  /// plugin hosts that are there get their limits again. Returns the controllers that are on.
  package func turnOn(_ controllers: [String]) -> Set<String> {
    let wanted = controllers.filter(availableControllers.contains)
    let group = ControlGroup(at: directory)
    let isOn = group.controllersOfChildren
    guard !isOn.isSuperset(of: wanted) else { return isOn }
    let own = ControlGroup(at: "\(directory)/\(Self.daemonGroup)")
    do {
      try own.make()
      try own.enter()
    } catch {
      return isOn
    }
    // One by one: a write of several is refused as a whole.
    for controller in wanted { try? group.write("+\(controller)", to: ControlGroup.childrenFile) }
    for group in hostGroups { group.restoreLimits() }
    return group.controllersOfChildren
  }

  /// Turns all controllers off, with the limits of all groups, so that systemd can put the next daemon into this group. Called when the daemon
  /// has ended.
  package func turnOffControllers() throws(SystemError) {
    let group = ControlGroup(at: directory)
    for controller in group.controllersOfChildren.sorted() {
      try group.write("-\(controller)", to: ControlGroup.childrenFile)
    }
  }

  /// Finds the service's group from a process that systemd runs for `ExecStopPost=`; `nil` if none is delegated.
  package static func findFromControlProcess() -> DelegatedGroup? {
    find { path in path.hasSuffix(controlGroup) ? String(path.dropLast(controlGroup.count)) : path }
  }
}

extension ControlGroup {
  /// The group of all groups. Beside version 1 it is elsewhere, and has no controllers there.
  package static let root = ControlGroup(at: "/sys/fs/cgroup")
  /// The file of the controllers that are on for the groups in a group.
  static let childrenFile = "cgroup.subtree_control"

  /// Controllers that can be on for the groups in it; none for a group that is not there.
  package var controllers: Set<String> { words(in: "cgroup.controllers") }
  /// Controllers that are on for the groups in it.
  var controllersOfChildren: Set<String> { words(in: Self.childrenFile) }

  private func words(in file: String) -> Set<String> {
    Set((contents(of: file) ?? "").split { $0 == " " || $0 == "\n" }.map(String.init))
  }
}
