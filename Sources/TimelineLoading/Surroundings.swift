package import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// What enabled jobs name of the machine, users, credentials and working folders, looked at without starting anything.
///
/// What would make the daemon refuse a job is an error. What whoever looks may not see, or what only a daemon with root's rights
/// asks for, is a warning where that is not root.
package struct Surroundings {
  /// Something that is not as a job says.
  private struct Finding {
    /// The keys that lead to it from the job's table.
    var keys: [String]
    var severity = Diagnostic.Severity.error
    var message: String
    var label: String
    var help: String
  }

  /// What is to be said, in the order of the jobs.
  package private(set) var diagnostics: [Diagnostic] = []
  private var unsound: Set<ObjectIdentifier> = []

  /// Looks at all that the enabled jobs of `configuration` name.
  package init(of configuration: Configuration) {
    // What is found out of a job is true of all its kin.
    var known: [ObjectIdentifier: [Finding]] = [:]
    for (index, job) in configuration.jobs.enumerated() where job.isEnabled {
      let findings = known[job.kin] ?? Self.findings(about: job)
      known[job.kin] = findings
      if findings.contains(where: { $0.severity == .error }) { unsound.insert(job.kin) }
      diagnostics += findings.map { finding in
        Diagnostic(
          severity: finding.severity, place: configuration.place(ofJobAt: index, under: finding.keys),
          message: finding.message, label: finding.label, help: [finding.help])
      }
    }
  }

  /// Whether nothing was found that keeps the job from being run.
  package func isSound(_ job: Job) -> Bool { !unsound.contains(job.kin) }

  private static var isRoot: Bool { CurrentProcess.effectiveUser == 0 }

  private static func findings(about job: Job) -> [Finding] {
    let credentials = job.setup.credentials.sorted { $0.key < $1.key }
    return [job.user.flatMap(user), job.setup.workingFolder.flatMap(workingFolder)].compactMap(\.self)
      + credentials.compactMap { credential($0.key, $0.value) }
  }

  private static func user(_ name: String) -> Finding? {
    do {
      _ = try UserRecord(named: name)
      return nil
    } catch {
      let isMissing = error.isMissing
      return Finding(
        keys: ["user"], severity: isRoot && isMissing ? .error : .warning,
        message: isMissing
          ? "there is no user \"\(name)\"" : "the user \"\(name)\" cannot be looked up: \(error.reason)",
        label: "expected a user of this machine",
        help: "create the user, or correct the name: with root's rights timelined refuses the job without it")
    }
  }

  private static func workingFolder(_ path: String) -> Finding? {
    let keys = ["working-folder"]
    do {
      guard try FileFacts(at: path).kind != .directory else { return nil }
      return Finding(
        keys: keys, message: "\"\(path)\" is no folder", label: "expected a folder",
        help: "correct the path, or what is there")
    } catch {
      if !error.isForbidden { return refusal(error, keys, path, "folder") }
      // Root looks once more as the job's user, who may be let in where root is not.
      return isRoot ? nil : hidden(keys, path)
    }
  }

  private static func credential(_ name: String, _ path: String) -> Finding? {
    let keys = ["credentials", name]
    do {
      _ = try FileContents.read(path, limit: JobLimits.credentialMax)
      return nil
    } catch {
      return error.isForbidden && !isRoot ? hidden(keys, path) : refusal(error, keys, path, "file")
    }
  }

  private static func refusal(_ error: SystemError, _ keys: [String], _ path: String, _ kind: String)
    -> Finding
  {
    Finding(
      keys: keys,
      message: error.isMissing
        ? "there is no \(kind) \"\(path)\"" : "\"\(path)\" cannot be read: \(error.reason)",
      label: "expected a \(kind)" + (kind == "file" ? " of at most \(JobLimits.credentialMax) bytes" : ""),
      help: error.isMissing ? "create the \(kind), or correct its path" : "correct the path, or what is there"
    )
  }

  private static func hidden(_ keys: [String], _ path: String) -> Finding {
    Finding(
      keys: keys, severity: .warning,
      message: "user \(CurrentProcess.effectiveUser), who checks, may not look at \"\(path)\"",
      label: "not known to be right", help: "check as root, or as the user that timelined runs as")
  }
}
