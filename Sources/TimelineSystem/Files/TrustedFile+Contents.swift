import TimelineCore

/// The reason why a file is not read for a job, and the remedy.
package struct TrustedFileFault: Error, Sendable, Hashable {
  /// The reason, with the path.
  package var reason: String
  /// The remedy.
  package var remedy: String
  /// Whether there is no file.
  package var isMissing = false
  /// Whether this process may not look at the file.
  package var isForbidden = false

  /// Makes a fault.
  package init(_ reason: String, _ remedy: String) { (self.reason, self.remedy) = (reason, remedy) }
}

extension TrustedFile {
  /// Returns the bytes of the file at `path`, an absolute path, that this process reads for a job.
  ///
  /// The job's user may be another, with fewer rights: root, or whoever this process is, must own the file and every step on the way to
  /// it, and nobody else may change them. Otherwise that user could lay a link there to a file that they may not read.
  package static func contents(of path: String, limit: Int) throws(TrustedFileFault) -> [UInt8] {
    let file: TrustedFile
    do throws(TrustRefusal) {
      file = try open(path, by: TrustRule(user: CurrentProcess.effectiveUser))
    } catch {
      throw fault(error, path)
    }
    do throws(SystemError) {
      return try file.contents(limit: limit)
    } catch {
      throw TrustedFileFault("\(path) cannot be read: \(error.plainReason)", "keep it below \(limit) bytes")
    }
  }

  private static func fault(_ refusal: TrustRefusal, _ path: String) -> TrustedFileFault {
    switch refusal.reason {
    case .notAbsolute: return TrustedFileFault("\(path) is not an absolute path", "begin it with a slash")
    case .notRegular: return TrustedFileFault("\(path) is not a regular file", "name a file")
    case .system(let error):
      var fault = TrustedFileFault(
        error.isMissing ? "there is no file \(path)" : "\(path) cannot be opened: \(error.plainReason)",
        error.isMissing
          ? "create the file, or correct its path" : "let the user that timelined runs as read it")
      (fault.isMissing, fault.isForbidden) = (error.isMissing, error.isForbidden)
      return fault
    case .untrusted(let step, .foreignOwner(let owner), _):
      return TrustedFileFault(
        "\(refusal.path) belongs to user \(owner), who could put another file in its place",
        "run chown \(step == .link ? "-h " : "")root \(refusal.path), or put the file elsewhere")
    case .untrusted(_, .writable(let mode), _):
      return TrustedFileFault(
        "others than its owner may change \(refusal.path): its mode is 0\(String(mode, radix: 8))",
        "run chmod go-w \(refusal.path)")
    }
  }
}
