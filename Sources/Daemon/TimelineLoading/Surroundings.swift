package import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Rights of the daemon that will use the configuration, as far as the checking process can determine them.
private enum DaemonRights {
  case root
  /// The rights of the checking user. A root daemon would refuse the main file, which does not belong to root.
  case own
  /// Either root's rights or the checking user's.
  case unknown

  init(readingFileAt path: String) {
    if CurrentProcess.effectiveUser == 0 {
      self = .root
    } else {
      self = (try? FileFacts(at: path).owner) == 0 ? .unknown : .own
    }
  }
}

/// Checks that the users, credentials and working directories of enabled jobs exist on the machine, without starting
/// a process.
///
/// Reports an error if the daemon would refuse a job. Reports a warning if the refusal is uncertain, because the
/// daemon's rights are unknown or a user or group cannot be looked up. An ignored line of an environment file is also
/// a warning.
package struct Surroundings {
  /// A requirement of a job that the machine does not meet.
  private struct Finding {
    /// Path of keys from the job's table.
    var keys: [String]
    var severity = Diagnostic.Severity.error
    var message: String
    var label: String
    var help: String
  }

  /// In the order of the jobs.
  package private(set) var diagnostics: [Diagnostic] = []
  private var unsound: Set<ObjectIdentifier> = []

  /// Checks everything that the enabled jobs of `configuration` name. `path` is the main file.
  package init(of configuration: Configuration, at path: String) {
    let rights = DaemonRights(readingFileAt: path)
    let socket = configuration.daemon.control.socketPath
    // The findings about a job apply to all jobs of its kin.
    var known: [ObjectIdentifier: [Finding]] = [:]
    for (index, job) in configuration.jobs.enumerated() where job.isEnabled {
      let findings = known[job.kin] ?? Self.findings(about: job, rights, socket)
      known[job.kin] = findings
      if findings.contains(where: { $0.severity == .error }) { unsound.insert(job.kin) }
      diagnostics += findings.map { finding in
        Diagnostic(
          severity: finding.severity, place: configuration.place(ofJobAt: index, under: finding.keys),
          message: finding.message, label: finding.label, help: [finding.help])
      }
    }
  }

  /// Whether no finding prevents the job from running.
  package func isSound(_ job: Job) -> Bool { !unsound.contains(job.kin) }

  private static var isRoot: Bool { CurrentProcess.effectiveUser == 0 }

  private static func findings(about job: Job, _ rights: DaemonRights, _ socket: String?) -> [Finding] {
    [
      job.user.flatMap { user($0, rights) },
      job.setup.group.flatMap { group($0, rights) },
      job.setup.workingDirectory.flatMap { workingDirectory($0, rights) },
    ].compactMap(\.self)
      + job.setup.environmentFiles.compactMap { environmentFile($0, rights) }
      + credentials(of: job, besides: socket, rights)
  }

  private static func user(_ name: String, _ rights: DaemonRights) -> Finding? {
    let label = "expected a user of this machine"
    do {
      let user = try UserRecord(named: name)
      guard rights != .root, user.user != CurrentProcess.effectiveUser else { return nil }
      return Finding(
        keys: ["user"], severity: rights == .own ? .error : .warning,
        message: "only root can change user, and this job is to run as \"\(name)\"",
        label: "not the user who checks",
        help: "run timelined as root, or take `user` out: a daemon that is not root refuses the job")
    } catch {
      return Finding(
        keys: ["user"], severity: rights != .unknown && error.isMissing ? .error : .warning,
        message: error.isMissing
          ? "there is no user \"\(name)\"" : "the user \"\(name)\" cannot be looked up: \(error.plainReason)",
        label: label, help: "create the user, or correct the name: timelined refuses the job without it")
    }
  }

  private static func group(_ name: String, _ rights: DaemonRights) -> Finding? {
    do {
      let number = try UserRecord.group(named: name)
      guard rights != .root, number != CurrentProcess.effectiveGroup else { return nil }
      return Finding(
        keys: ["group"], severity: rights == .own ? .error : .warning,
        message: "only root can change group, and this job is to run with \"\(name)\"",
        label: "not the group of the user who checks",
        help: "run timelined as root, or take `group` out: a daemon that is not root refuses the job")
    } catch {
      return Finding(
        keys: ["group"], severity: rights != .unknown && error.isMissing ? .error : .warning,
        message: error.isMissing
          ? "there is no group \"\(name)\""
          : "the group \"\(name)\" cannot be looked up: \(error.plainReason)",
        label: "expected a group of this machine",
        help: "create the group, or correct the name; the groups [group.NAME] with a limit stand in `groups`")
    }
  }

  private static func environmentFile(_ file: ExpectedPath, _ rights: DaemonRights) -> Finding? {
    let keys = ["environment-file"]
    do {
      guard let line = try file.readEnvironment()?.firstIgnoredLine else { return nil }
      return Finding(
        keys: keys, severity: .warning,
        message:
          "line \(line) of \(file.path) is no assignment to a variable that a job may have: it is left out",
        label: "not a shell script", help: "write NAME=value, or a # in front of the line")
    } catch {
      return finding(error, keys, file.path, rights, label: "expected a file of variables")
    }
  }

  /// Returns a finding if the job's user may not enter the directory for copies of the job's credentials. This is the
  /// directory of the control socket, if the configuration names a socket.
  private static func credentialsDirectory(of job: Job, besides socket: String?) -> Finding? {
    guard isRoot, let socket, socket.contains("/"),
      let user = job.user.flatMap({ try? UserRecord(named: $0) })
    else { return nil }
    let directory = socket.parentDirectory
    guard (try? FileFacts(at: directory).kind) == .directory,
      let objection = ExecutePermission.objection(to: directory, as: user)
    else { return nil }
    return Finding(
      keys: ["credentials"],
      message:
        "user \"\(user.name)\" cannot enter \(directory), where its credentials are put: \(objection.plainReason)",
      label: "not to be reached by the job",
      help: "let others enter it (chmod o+x), or put `control.socket` elsewhere, as in /run/timelined")
  }

  private static func workingDirectory(_ path: String, _ rights: DaemonRights) -> Finding? {
    let keys = ["working-directory"]
    do {
      guard try FileFacts(at: path).kind != .directory else { return nil }
      return Finding(
        keys: keys, message: "\"\(path)\" is no directory", label: "expected a directory",
        help: "correct the path, or what is there")
    } catch {
      if !error.isForbidden { return refusal(error, keys, path) }
      // Root repeats the check as the job's user, who may have access to a directory that root cannot enter.
      return isRoot ? nil : hidden(keys, path, rights)
    }
  }

  private static func credentials(
    of job: Job, besides socket: String?, _ rights: DaemonRights
  ) -> [Finding] {
    let files = job.setup.credentials
    guard !files.isEmpty else { return [] }
    var (findings, count): ([Finding], Int) = ([], 0)
    for (name, path) in files.sorted(on: \.key) {
      do throws(TrustedFileFault) {
        count += try TrustedFile.contents(of: path, limit: JobLimits.credentialBytesMax).count
      } catch {
        findings.append(
          finding(
            error, ["credentials", name], path, rights, label: "expected a file that the daemon may trust"))
      }
    }
    if count > JobLimits.credentialBytesMax {
      findings.append(
        Finding(
          keys: ["credentials"], message: "the credentials of a run have \(count) bytes",
          label: "expected at most \(JobLimits.credentialBytesMax) bytes in all files",
          help: "give keys and tokens as credentials, and let the job read larger files itself"))
    }
    return findings + [credentialsDirectory(of: job, besides: socket)].compactMap(\.self)
  }

  private static func finding(
    _ fault: TrustedFileFault, _ keys: [String], _ path: String, _ rights: DaemonRights, label: String
  ) -> Finding {
    fault.isForbidden && !isRoot
      ? hidden(keys, path, rights)
      : Finding(keys: keys, message: fault.reason, label: label, help: fault.remedy)
  }

  private static func refusal(_ error: SystemError, _ keys: [String], _ path: String) -> Finding {
    Finding(
      keys: keys,
      message: error.isMissing
        ? "there is no directory \"\(path)\"" : "\"\(path)\" cannot be read: \(error.plainReason)",
      label: "expected a directory",
      help: error.isMissing
        ? "create the directory, or correct its path" : "correct the path, or what is there")
  }

  private static func hidden(_ keys: [String], _ path: String, _ rights: DaemonRights) -> Finding {
    Finding(
      keys: keys, severity: rights == .own ? .error : .warning,
      message: "user \(CurrentProcess.effectiveUser), who checks, may not look at \"\(path)\"",
      label: "not known to be right", help: "check as root, or as the user that timelined runs as")
  }
}

// Users who may control the daemon.
extension Surroundings {
  /// Returns the reason why a user of `control.users` could not control the daemon, as a message and a remedy; `nil`
  /// if the user could control the daemon.
  static func objection(toControlUser name: String, inGroup group: String?) -> (
    message: String, help: String
  )? {
    let user: UserRecord
    do {
      user = try UserRecord(named: name)
    } catch {
      guard error.isMissing else { return nil }
      return ("there is no user \"\(name)\"", "create the user, or correct the name")
    }
    // Root and the daemon's own user have access without the group.
    guard let group, user.user != 0, user.user != CurrentProcess.effectiveUser,
      let number = try? UserRecord.group(named: group), !user.isMember(of: number)
    else { return nil }
    return (
      "the user \"\(name)\" is not in the group \"\(group)\" of the control socket, and cannot connect",
      "add the user with usermod -aG \(group) -- \(name), or take the name out"
    )
  }
}
