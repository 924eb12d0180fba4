package import TimelineCore

/// The reason why an environment file is not used, and the remedy.
package struct EnvironmentFileFault: Error, Sendable, Hashable {
  /// The reason, with the path.
  package var reason: String
  /// The remedy.
  package var remedy: String
  /// Whether this process may not look at the file.
  package var isForbidden = false

  fileprivate init(_ reason: String, _ remedy: String) { (self.reason, self.remedy) = (reason, remedy) }
}

extension EnvironmentFile {
  /// Reads the file; `nil` if it is not there and may be missing.
  ///
  /// Its variables become the environment of a job, whose user may be another. Root, or the user of this process, must own the file and
  /// every step on the way to it, and nobody else may change it.
  package func read() throws(EnvironmentFileFault) -> EnvironmentFileText? {
    let file: TrustedFile
    do throws(TrustRefusal) {
      file = try TrustedFile.open(path, by: TrustRule(user: CurrentProcess.effectiveUser))
    } catch {
      if mayBeMissing, case .system(let error) = error.reason, error.isMissing { return nil }
      throw Self.fault(error, path)
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try file.contents(limit: JobLimits.environmentFileMax)
    } catch {
      throw EnvironmentFileFault(
        "\(path) cannot be read: \(error.plainReason)", "keep it below \(JobLimits.environmentFileMax) bytes")
    }
    guard let text = EnvironmentFileText(bytes) else {
      throw EnvironmentFileFault("\(path) is not UTF-8, or has a NUL", "save it as UTF-8")
    }
    return text
  }

  private static func fault(_ refusal: TrustRefusal, _ path: String) -> EnvironmentFileFault {
    switch refusal.reason {
    case .notAbsolute: return EnvironmentFileFault("\(path) is not an absolute path", "begin it with a slash")
    case .notRegular: return EnvironmentFileFault("\(path) is not a regular file", "name a file")
    case .system(let error):
      var fault = EnvironmentFileFault(
        error.isMissing ? "there is no file \(path)" : "\(path) cannot be opened: \(error.plainReason)",
        error.isMissing
          ? "create it, or write a - in front of the path if it may be missing"
          : "let the user that timelined runs as read it")
      fault.isForbidden = error.isForbidden
      return fault
    case .untrusted(let step, .foreignOwner(let owner), _):
      return EnvironmentFileFault(
        "\(refusal.path) belongs to user \(owner), who could change what the job finds in its environment",
        "run chown \(step == .link ? "-h " : "")root \(refusal.path), or put the file elsewhere")
    case .untrusted(_, .writable(let mode), _):
      return EnvironmentFileFault(
        "others than its owner may change \(refusal.path): its mode is 0\(String(mode, radix: 8))",
        "run chmod go-w \(refusal.path)")
    }
  }
}
