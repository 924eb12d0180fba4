internal import CTimelineSystem
internal import Glibc

/// An open file that was reached by trusted steps only.
///
/// The path is walked from the root, one open directory after the other. Each step is judged by the descriptor from which
/// the next is opened, so that no process can replace it in between.
package struct TrustedFile: ~Copyable {
  /// Limit of symbolic links on one path, as in the kernel.
  private static let linksMax = 40

  /// The facts of the open file when it was judged.
  package let facts: FileFacts
  private let descriptor: FileDescriptor

  /// Opens the regular file at `path`, an absolute path, by the rule.
  package static func open(_ path: String, by rule: TrustRule) throws(TrustRefusal) -> TrustedFile {
    var walk = try Self.walk(to: path, by: rule)
    return try walk.file()
  }

  /// Opens the regular file at `path`, an absolute path, that a spool such as cron's holds for `user`.
  ///
  /// The path to the spool is judged for this process's own user. In a spool a group such as `crontab` may make files; each must
  /// belong to `user` or to root. A link there is refused, as by cron(8).
  package static func open(spooled path: String, for user: UInt32) throws(TrustRefusal) -> TrustedFile {
    var rule = TrustRule.ofThisProcess
    rule.stickyHolders = .group
    var walk = try Self.walk(to: path.parentDirectory, by: rule)
    try walk.enter()
    return try walk.spooled(path, by: TrustRule(user: user))
  }

  /// Judges the directory at `path`, an absolute path, as a holder of files, and each step on the path to it.
  package static func judge(directory path: String, by rule: TrustRule) throws(TrustRefusal) {
    var walk = try Self.walk(to: path, by: rule)
    try walk.enter()
  }

  private static func walk(to path: String, by rule: TrustRule) throws(TrustRefusal) -> Walk {
    guard path.hasPrefix("/") else { throw TrustRefusal(path: path, reason: .notAbsolute) }
    let root = try openRoot()
    let facts = try facts(of: root, named: "/")
    return Walk(to: path, by: rule, from: root, facts)
  }

  private init(_ descriptor: consuming FileDescriptor, _ facts: FileFacts) {
    self.descriptor = descriptor
    self.facts = facts
  }

  /// A path of the open file, valid as long as this value lives.
  package var path: String { "/proc/self/fd/\(descriptor.rawValue)" }

  /// The contents of the open file; `EFBIG` when they are longer than `limit` bytes.
  package borrowing func contents(limit: Int) throws(SystemError) -> [UInt8] {
    try FileContents.read(path, limit: limit).bytes
  }

  /// Keeps the file open for as long as the process lives.
  package consuming func keepOpen() {
    _ = descriptor.release()
  }

  /// A path to a file, as far as it has been walked.
  private struct Walk: ~Copyable {
    private let whole: String
    private let rule: TrustRule
    private var here: FileDescriptor
    private var hereFacts: FileFacts
    /// The names of the directories down to here.
    private var names: [Substring] = []
    /// The names still to be walked, the next one last.
    private var pending: [Substring]
    private var linkCount = 0

    init(
      to path: String, by rule: TrustRule, from root: consuming FileDescriptor, _ rootFacts: FileFacts
    ) {
      whole = path
      self.rule = rule
      pending = path.split(separator: "/").reversed()
      here = root
      hereFacts = rootFacts
    }

    private func judge(_ facts: FileFacts, as step: TrustRule.Step, named name: String) throws(TrustRefusal) {
      guard let fault = rule.fault(of: facts, as: step) else { return }
      throw TrustRefusal(path: name, reason: .untrusted(step, fault, by: rule))
    }

    /// Judges this directory as the holder of a file or link: if others may write to it, any of them could have made a hard
    /// link there to another user's file.
    private func judgeHolder(of facts: FileFacts) throws(TrustRefusal) {
      try judge(hereFacts, as: .holder, named: place)
      guard facts.linkCount > 1, hereFacts.mode & 0o022 & rule.stickyHolders.rawValue != 0 else { return }
      throw TrustRefusal(
        path: place, reason: .untrusted(.holder, .writable(mode: hereFacts.mode), by: rule))
    }

    private var place: String { "/" + names.joined(separator: "/") }

    mutating func file() throws(TrustRefusal) -> TrustedFile {
      guard let file = try end() else { throw TrustRefusal(path: whole, reason: .notRegular) }
      return file
    }

    /// Walks to a directory.
    mutating func enter() throws(TrustRefusal) {
      if case .some = try end() {
        throw TrustRefusal(
          path: whole, reason: .system(SystemError(code: ENOTDIR, call: "open", subject: whole)))
      }
      try judge(hereFacts, as: .holder, named: place)
    }

    /// Returns the file at `path` in the directory that was entered.
    func spooled(_ path: String, by rule: TrustRule) throws(TrustRefusal) -> TrustedFile {
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      let next = try TrustedFile.openStep(name, in: here, named: path)
      let facts = try TrustedFile.facts(of: next, named: path)
      guard facts.kind == .regular else { throw TrustRefusal(path: path, reason: .notRegular) }
      if let fault = rule.fault(of: facts, as: .file) {
        throw TrustRefusal(path: path, reason: .untrusted(.file, fault, by: rule))
      }
      try judgeHolder(of: facts)
      return try reopened(next, facts)
    }

    /// Walks the whole path. Returns the file at its end; `nil` if the path leads to a directory.
    private mutating func end() throws(TrustRefusal) -> TrustedFile? {
      try judge(hereFacts, as: .directory, named: "/")
      while let name = pending.popLast() {
        if name == "." { continue }
        let stepPath = names.isEmpty ? "/\(name)" : "\(place)/\(name)"
        let next = try TrustedFile.openStep(String(name), in: here, named: whole)
        let facts = try TrustedFile.facts(of: next, named: whole)
        switch facts.kind {
        case .directory:
          if name == ".." { _ = names.popLast() } else { names.append(name) }
          try judge(facts, as: .directory, named: place)
          hereFacts = facts
          here = next
        case .link:
          try judge(facts, as: .link, named: stepPath)
          try judgeHolder(of: facts)
          try follow(next)
        case .regular where pending.isEmpty:
          try judge(facts, as: .file, named: stepPath)
          try judgeHolder(of: facts)
          return try reopened(next, facts)
        case .regular, .socket, .other:
          throw pending.isEmpty
            ? TrustRefusal(path: whole, reason: .notRegular)
            : TrustRefusal(
              path: whole, reason: .system(SystemError(code: ENOTDIR, call: "open", subject: whole)))
        }
      }
      return nil
    }

    private mutating func follow(_ link: borrowing FileDescriptor) throws(TrustRefusal) {
      linkCount += 1
      guard linkCount <= TrustedFile.linksMax, let target = TrustedFile.target(of: link) else {
        throw TrustRefusal(
          path: whole, reason: .system(SystemError(code: ELOOP, call: "open", subject: whole)))
      }
      pending += target.split(separator: "/").reversed()
      guard target.hasPrefix("/") else { return }
      let root = try TrustedFile.openRoot()
      hereFacts = try TrustedFile.facts(of: root, named: "/")
      here = root
      names = []
    }

    /// Returns a readable descriptor of the same file that was judged.
    private func reopened(_ step: borrowing FileDescriptor, _ facts: FileFacts) throws(TrustRefusal)
      -> TrustedFile
    {
      let number = step.rawValue
      do {
        return TrustedFile(
          FileDescriptor(
            owning: try SystemCall.check("open", about: whole) {
              unsafe timeline_open_reading("/proc/self/fd/\(number)")
            }), facts)
      } catch {
        throw TrustRefusal(path: whole, reason: .system(error))
      }
    }
  }

  private static func openRoot() throws(TrustRefusal) -> FileDescriptor {
    do {
      return FileDescriptor(
        owning: try SystemCall.check("open", about: "/") { timeline_open_step(-1, nil) })
    } catch {
      throw TrustRefusal(path: "/", reason: .system(error))
    }
  }

  private static func openStep(_ name: String, in directory: borrowing FileDescriptor, named path: String)
    throws(TrustRefusal) -> FileDescriptor
  {
    let number = directory.rawValue
    do {
      return FileDescriptor(
        owning: try SystemCall.check("open", about: path) { unsafe timeline_open_step(number, name) })
    } catch {
      throw TrustRefusal(path: path, reason: .system(error))
    }
  }

  private static func facts(of step: borrowing FileDescriptor, named path: String) throws(TrustRefusal)
    -> FileFacts
  {
    do {
      return try FileFacts(of: step)
    } catch {
      throw TrustRefusal(path: path, reason: .system(error))
    }
  }

  /// Returns the target of an open link; `nil` if it cannot be read or is too long for a path.
  private static func target(of link: borrowing FileDescriptor) -> String? {
    let number = link.rawValue
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe readlinkat(number, "", $0, bytes.count) } ?? -1
    }
    guard length > 0, length < buffer.count else { return nil }
    return String(validating: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The reason why a file was not opened as a ``TrustedFile``.
package struct TrustRefusal: Error, Sendable {
  /// The kinds of reasons.
  package enum Reason: Sendable {
    case notAbsolute
    /// The system failed to open the file or a step.
    case system(SystemError)
    /// The path leads to a directory or to another file that is not regular.
    case notRegular
    /// The step at ``TrustRefusal/path`` is not trusted.
    case untrusted(TrustRule.Step, TrustRule.Fault, by: TrustRule)
  }

  /// The step that is not trusted, or the whole path.
  package var path: String
  package var reason: Reason
}
