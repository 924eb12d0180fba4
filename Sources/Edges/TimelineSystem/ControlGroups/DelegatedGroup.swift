internal import CTimelineSystem

/// The control group that systemd has delegated to this service (`Delegate=`): groups may be made in it.
///
/// Everywhere else the groups belong to systemd. Groups made there would break its bookkeeping, even if this process has
/// the rights to make them.
package struct DelegatedGroup: Sendable, Hashable {
  /// The group's directory, an absolute path.
  package let directory: String

  /// Prefix of the names of the groups that this program makes.
  private static let prefix = "host-"
  /// Mount points of the hierarchy of version 2: the usual one, and the one beside hierarchies of version 1.
  private static let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
  /// Extended attribute by which systemd marks a group that it has delegated.
  private static let mark = "user.delegate"
  /// Largest number of bytes that are read of `/proc/self/cgroup`, which has a line with a path for each hierarchy.
  private static let membershipMax = 65_536

  package init(at directory: String) {
    self.directory = directory
  }

  /// Finds the group that was delegated to this process's service; `nil` if there is none, or it is read-only here.
  package static func find() -> DelegatedGroup? { find { $0 } }

  /// Finds the delegated group. `correct` maps the path of this process's group to the path of the service's group.
  static func find(_ correct: (String) -> String) -> DelegatedGroup? {
    guard let contents = try? FileContents.read("/proc/self/cgroup", limit: membershipMax),
      let path = path(in: String(decoding: contents.bytes, as: UTF8.self)).map(correct)
    else { return nil }
    let groups = roots.map { DelegatedGroup(at: $0 + path) }
    return groups.first { group in
      unsafe timeline_has_mark(group.directory, mark) == 1
        && (try? CurrentProcess.checkAccess(to: group.directory, .changingDirectory)) != nil
    }
  }

  /// Returns the group for the process with this number; `distinction` sets it apart from groups of former processes with
  /// that number.
  package func group(forProcess process: CInt, distinction: Int64) -> ControlGroup {
    ControlGroup(at: "\(directory)/\(Self.prefix)\(process)-\(distinction)")
  }

  /// Returns the latest group made for a process with this number, perhaps by an earlier daemon; the process may have
  /// ended.
  package func group(ofProcess process: CInt) -> ControlGroup? {
    let prefix = "\(Self.prefix)\(process)-"
    let names = ((try? DirectoryListing.names(in: directory)) ?? []).filter { $0.hasPrefix(prefix) }
    let latest = names.max { Int64($0.dropFirst(prefix.count)) ?? 0 < Int64($1.dropFirst(prefix.count)) ?? 0 }
    return latest.map { ControlGroup(at: "\(directory)/\($0)") }
  }

  /// Returns the group made by this program that contains a process, directly or in a group below it; `nil` for none.
  package func group(containing process: CInt) -> ControlGroup? {
    let file = "/proc/\(process)/cgroup"
    guard let contents = try? FileContents.read(file, limit: Self.membershipMax),
      let path = Self.path(in: String(decoding: contents.bytes, as: UTF8.self)),
      let name = path.split(separator: "/").first(where: { $0.hasPrefix(Self.prefix) })
    else { return nil }
    return ControlGroup(at: "\(directory)/\(name)")
  }

  /// Removes the groups made by this program that have no process, except the `used` groups, which a process may be about to
  /// enter.
  package func removeEmptyGroups(except used: Set<ControlGroup>) {
    // The kernel refuses to remove a group that has a process.
    for group in hostGroups where !used.contains(group) { group.remove() }
  }

  /// The groups below this one that this program has made.
  var hostGroups: [ControlGroup] {
    let names = (try? DirectoryListing.names(in: directory)) ?? []
    return names.filter { $0.hasPrefix(Self.prefix) }.map { ControlGroup(at: "\(directory)/\($0)") }
  }

  /// Returns the path in the hierarchy of version 2, from the line `0::/system.slice/timelined.service` (cgroups(7)).
  /// Returns `nil` for the root, which is never delegated, and for a path outside this process's namespace.
  static func path(in membership: String) -> String? {
    for line in membership.split(separator: "\n") where line.hasPrefix("0::/") {
      let path = line.dropFirst("0::".count)
      return path == "/" || path.hasPrefix("/..") ? nil : String(path)
    }
    return nil
  }
}
