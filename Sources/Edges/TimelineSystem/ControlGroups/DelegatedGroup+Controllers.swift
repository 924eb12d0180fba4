// Controllers of the kernel, which limit and measure the groups of plugin hosts.
extension DelegatedGroup {
  /// Controllers that limits of runs need.
  package static let controllers = usualControllers + ["cpu"]
  /// The controllers that are always on: systemd turns them on for every service, and they cost runs nothing. `cpu` is not among
  /// them: with `cpu` the scheduler divides the processor between groups first, and then between processes.
  package static let usualControllers = ["memory", "pids"]
  /// The group of the daemon itself while controllers are on, because the kernel turns controllers on only for the children of a
  /// group without processes.
  private static let daemonGroup = "daemon"
  /// The group in which systemd runs ExecReload= and ExecStopPost= of a service with Delegate=.
  private static let controlGroup = "/.control"

  /// Controllers that can be turned on for the child groups: controllers of the hierarchy of version 2 that systemd has turned on
  /// for the service.
  package var availableControllers: Set<String> { ControlGroup(at: directory).controllers }

  /// Turns on the `controllers` that are available, after moving this process into a group of its own. Restores the limits of
  /// existing groups of plugin hosts. Returns the controllers that are on.
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
    // Written one by one, because the kernel refuses a write of several controllers as a whole.
    for controller in wanted { try? group.write("+\(controller)", to: ControlGroup.childrenFile) }
    for group in hostGroups { group.restoreLimits() }
    return group.controllersOfChildren
  }

  /// Turns all controllers off, and with them the limits of all groups, so that systemd can put the next daemon into this
  /// group. Called when the daemon has ended.
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
  /// The root group. If hierarchies of version 1 are mounted, the root is elsewhere and has no controllers.
  package static let root = ControlGroup(at: "/sys/fs/cgroup")
  /// The file of the controllers that are on for the child groups of a group.
  static let childrenFile = "cgroup.subtree_control"

  /// Controllers that can be turned on for its child groups; empty if the group does not exist.
  package var controllers: Set<String> { words(in: "cgroup.controllers") }
  /// Controllers that are on for its child groups.
  var controllersOfChildren: Set<String> { words(in: Self.childrenFile) }

  private func words(in file: String) -> Set<String> {
    Set((contents(of: file) ?? "").split { $0 == " " || $0 == "\n" }.map(String.init))
  }
}
