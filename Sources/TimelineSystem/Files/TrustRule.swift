/// The rule by which a file whose code is to be run is trusted, and every step on the way to it.
///
/// A step is a directory from the root down, a symbolic link, or the file itself; where a link leads is judged like the rest.
///
/// - The owner of each step is root or ``user``, the user that the code runs as. This is systemd's rule for unsafe transitions:
///   whoever else owned a step could replace what comes after it. The sticky bit excuses no owner.
/// - Neither group nor others may write a step. A group that is its owner's alone counts as the owner, so that a user with
///   umask 0002 can run what they built. A link has no permissions.
/// - A sticky directory that others may write, such as /tmp, may be passed on the way to a directory, because only its owner can
///   replace that directory, and the owner is judged next. It may hold neither the file nor a link: with a hard link anybody can
///   put another's old file there, under a name that is free.
package struct TrustRule: Sendable, Hashable {
  /// The place of a step on the way to the file.
  package enum Step: Sendable, Hashable {
    /// A directory that is passed on the way to another one.
    case directory
    /// The directory that holds the file or a link.
    case holder
    /// A symbolic link.
    case link
    /// The file.
    case file
  }

  /// Writers that a sticky directory may have beside its owner: they can make files in it, and cannot replace those of others. The raw value
  /// has their bits of the mode.
  package enum StickyHolders: UInt32, Sendable, Hashable {
    /// None, as for any directory.
    case exclusive = 0
    /// The group, as in cron's spool.
    case group = 0o020
    /// Everybody, as in /tmp: for files that are named after they were made.
    case everybody = 0o022
  }

  /// The reason why a step is not trusted.
  package enum Fault: Error, Sendable, Hashable {
    /// It belongs to this user.
    case foreignOwner(UInt32)
    /// Others than its owner may write it; the permission bits.
    case writable(mode: UInt32)
  }

  /// The user that the code runs as, who is trusted like root.
  package var user: UInt32
  /// Whether a group that is its owner's alone counts as the owner. To find that out waits for the name service.
  package var trustsPrivateGroups = true
  /// The writers that a sticky directory may have where it holds the file or a link.
  package var stickyHolders = StickyHolders.exclusive

  /// Makes the rule for code that runs as `user`.
  package init(user: UInt32) {
    self.user = user
  }

  /// The rule for this process's own user.
  package static var ofThisProcess: TrustRule { TrustRule(user: CurrentProcess.effectiveUser) }

  /// The reason why a step with these facts is not trusted; `nil` when it is.
  ///
  /// - Parameter isOwnersGroup: Whether the file's group has nobody but its owner in it; asked only where the answer matters.
  package func fault(
    of facts: FileFacts, as step: Step, isOwnersGroup: (FileFacts) -> Bool = \.isInOwnersPrivateGroup
  ) -> Fault? {
    fault(owner: facts.owner, mode: facts.mode, as: step) { isOwnersGroup(facts) }
  }

  /// The reason why a step of this owner and these permission bits is not trusted; `nil` when it is.
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
