import TimelineCore

/// The reason why a file is not read for a job, and the remedy.
package struct TrustedFileFault: Error, Sendable, Hashable {
  /// The reason, with the path.
  package var reason: String
  package var remedy: String
  package var isMissing = false
  /// Whether this process lacks the permission to open the file.
  package var isForbidden = false

  /// Makes the fault of a file at `path` that was not opened.
  package init(_ refusal: TrustRefusal, path: String) {
    switch refusal.reason {
    case .notAbsolute: self.init("\(path) is not an absolute path", "begin it with a slash")
    case .notRegular: self.init("\(path) is not a regular file", "name a file")
    case .system(let error):
      self.init(
        error.isMissing ? "there is no file \(path)" : "\(path) cannot be opened: \(error.plainReason)",
        error.isMissing
          ? "create the file, or correct its path" : "let the user that timelined runs as read it")
      (isMissing, isForbidden) = (error.isMissing, error.isForbidden)
    case .untrusted(let step, .foreignOwner(let owner), _):
      self.init(
        "\(refusal.path) belongs to user \(owner), who could put another file in its place",
        "run chown \(step == .link ? "-h " : "")root \(refusal.path), or put the file elsewhere")
    case .untrusted(let step, .writable(let mode), _):
      self.init(
        "others than its owner may change \(refusal.path): its mode is 0\(String(mode, radix: 8))",
        step == .holder && mode & 0o1000 != 0
          ? "put the file into a directory where its owner alone may write" : "run chmod go-w \(refusal.path)"
      )
    }
  }

  package init(_ reason: String, _ remedy: String) { (self.reason, self.remedy) = (reason, remedy) }
}

extension TrustedFile {
  /// Returns the bytes of the file at `path`, an absolute path, that this process reads for a job.
  ///
  /// The job's user may be another, with fewer rights. So root or this process's user must own the file and every step on
  /// the path to it, and no other user may change them. Otherwise the job's user could put a link there to a file that they
  /// may not read.
  package static func contents(of path: String, limit: Int) throws(TrustedFileFault) -> [UInt8] {
    try trusted(path).contents(of: path, limit: limit)
  }

  /// Opens the file at `path`, an absolute path, by the rule for this process's user.
  static func trusted(_ path: String) throws(TrustedFileFault) -> TrustedFile {
    do throws(TrustRefusal) {
      return try open(path, by: .ofThisProcess)
    } catch {
      throw TrustedFileFault(error, path: path)
    }
  }

  /// The contents of the open file, whose name in messages is `path`.
  borrowing func contents(of path: String, limit: Int) throws(TrustedFileFault) -> [UInt8] {
    do throws(SystemError) {
      return try contents(limit: limit)
    } catch {
      throw TrustedFileFault("\(path) cannot be read: \(error.plainReason)", "keep it below \(limit) bytes")
    }
  }
}
