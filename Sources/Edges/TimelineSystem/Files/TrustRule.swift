/// The rule that decides whether a file with code to run is trusted. It applies to every step on the path to the file.
///
/// A step is a directory from the root down, a symbolic link, or the file itself. The target of a link is judged by the same
/// rule.
///
/// - The owner of each step is root or ``user``, the user that the code runs as. This is systemd's rule for unsafe transitions:
///   any other owner of a step could replace what comes after it. This holds for sticky directories, too.
/// - Neither group nor others may write a step. A group that contains only its owner counts as the owner, so that a user
///   with umask 0002 can run what they built. A link has no permissions.
/// - A sticky directory that others may write, such as /tmp, may be passed on the path to a directory: only its owner can
///   replace that directory, and the owner is judged next. It may hold neither the file nor a link: any user can make a
///   hard link there to an old file of another user, under a free name.
package struct TrustRule: Sendable, Hashable {
  /// The place of a step on the way to the file.
  package enum Step: Sendable, Hashable {
    /// A directory that is passed on the way to another one.
    case directory
    /// The directory that holds the file or a link.
    case holder
    case link
    case file
  }

  /// Writers that a sticky directory may have besides its owner. They can make files in it, and cannot replace files of others.
  /// The raw value has their bits of the mode.
  package enum StickyHolders: UInt32, Sendable, Hashable {
    /// None, as for any directory.
    case exclusive = 0
    /// The group, as in cron's spool.
    case group = 0o020
    /// All users, as in /tmp: for a file that exists before its path is given to the program.
    case everybody = 0o022
  }

  /// The reason why a step is not trusted.
  package enum Fault: Error, Sendable, Hashable {
    /// The step belongs to this user, who is not trusted.
    case foreignOwner(UInt32)
    /// Users other than its owner may write it; the permission bits.
    case writable(mode: UInt32)
  }

  /// The user that the code runs as, who is trusted like root.
  package var user: UInt32
  /// Whether a group that contains only its owner counts as the owner. The check waits for the name service.
  package var trustsPrivateGroups = true
  /// The writers that a sticky directory may have if it holds the file or a link.
  package var stickyHolders = StickyHolders.exclusive

  package init(user: UInt32) {
    self.user = user
  }

  /// The rule for this process's own user.
  package static var ofThisProcess: TrustRule { TrustRule(user: CurrentProcess.effectiveUser) }

  /// Returns the reason why a step with these facts is not trusted; `nil` if it is trusted.
  ///
  /// - Parameter isOwnersGroup: Whether the file's group has no member but its owner; evaluated only if it matters.
  package func fault(
    of facts: FileFacts, as step: Step, isOwnersGroup: (FileFacts) -> Bool = \.isInOwnersPrivateGroup
  ) -> Fault? {
    fault(owner: facts.owner, mode: facts.mode, as: step) { isOwnersGroup(facts) }
  }

  /// Returns the reason why a step with this owner and these permission bits is not trusted; `nil` if it is trusted.
  func fault(owner: UInt32, mode: UInt32, as step: Step, isOwnersGroup: () -> Bool) -> Fault? {
    if owner != 0, owner != user { return .foreignOwner(owner) }
    let isSticky = mode & 0o1000 != 0
    if step == .link || step == .directory && isSticky { return nil }
    let excused = step == .holder && isSticky ? stickyHolders.rawValue : 0
    let writers = mode & 0o022 & ~excused
    if writers & 0o002 != 0 { return .writable(mode: mode) }
    if writers != 0, !trustsPrivateGroups || !isOwnersGroup() { return .writable(mode: mode) }
    return nil
  }
}
