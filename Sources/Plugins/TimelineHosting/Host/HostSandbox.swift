internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Applies the job's configuration to this process before the plugin is loaded.
///
/// The steps that need the daemon's rights come first: reading credentials, exceeding limits, raising priorities. Then the
/// process becomes the job's user, sets no_new_privs and enters the kernel's sandbox. The limit on memory is set last,
/// because the other steps need memory. The working directory is entered for each call (``WorkingDirectory``).
enum HostSandbox {
  /// Minimum of memory between the use of the plugin host and its limit, to map a small library and to run. With less
  /// memory, loading fails with errors that give no reason.
  static let addressSpaceHeadroom: UInt64 = 16 * 1024 * 1024
  /// Time between SIGXCPU, which a plugin may catch to clean up, and SIGKILL.
  static let secondsBeyondProcessorTime: UInt64 = 5

  /// Prepares the process. If a step fails, throws a refusal with the setting, the reason and the remedy.
  static func prepare(for request: LoadRequest, _ enterSandbox: SandboxFunction) throws(Refusal) {
    let user = try Privileges.account(of: request)
    // Looked up now, while files may still be opened.
    let whom = user ?? Privileges.ownUser
    let setup = request.setup
    let variables = try EnvironmentFiles.variables(of: request)
    let credentials = try Credentials.place(request, for: user)
    try bound(request)
    if let mask = setup.fileModeMask { CurrentProcess.setFileModeMask(mask) }
    if let user { try Privileges.become(user, request.path) }
    if let whom { Privileges.setEnvironment(of: whom) }
    if let credentials { try enterCredentials(credentials, request) }
    for (name, value) in variables { HostSystem.setEnvironment(name, value) }
    try setEnvironment(request, credentials: credentials)
    try checkDirectory(request)
    if setup.noNewPrivileges { try Privileges.giveUpGaining(request.path) }
    try enterSandbox(request)
    try boundMemory(request)
  }

  private static func bound(_ request: LoadRequest) throws(Refusal) {
    let setup = request.setup
    if let niceness = setup.niceness {
      try attempt(
        request, "niceness of \(niceness)",
        "give at least the niceness of timelined itself, or run timelined as root or with CAP_SYS_NICE"
      ) { () throws(SystemError) in try CurrentProcess.setNiceness(niceness) }
    }
    if let priority = setup.ioPriority {
      // A newer kernel gives levels above 7 another meaning.
      if case .bestEffort(let level) = priority, !(0...7).contains(level) {
        throw Refusal(
          file: request.path, reason: "its job's io priority has the level \(level), and there are 0 to 7",
          remedy: "give a level from 0, which goes first, to 7")
      }
      try attempt(request, "io priority", "take it out, or allow the call ioprio_set") {
        () throws(SystemError) in try CurrentProcess.setIOPriority(priority)
      }
    }
    if let count = setup.openFileCount {
      try limit(.openFiles, request, "open files", "LimitNOFILE=", soft: count)
    }
    if let count = setup.processCount {
      try limit(.processes, request, "processes", "LimitNPROC=", soft: count)
    }
    if let seconds = setup.processorTime?.wholeSecondsUp {
      try limit(
        .processorSeconds, request, "s of processor time", "LimitCPU=", soft: seconds,
        hard: seconds + secondsBeyondProcessorTime)
    }
  }

  private static func boundMemory(_ request: LoadRequest) throws(Refusal) {
    guard let bytes = request.setup.memoryBytes else { return }
    let needed = (CurrentProcess.addressSpaceBytes ?? 0) + addressSpaceHeadroom
    guard bytes >= needed else {
      throw Refusal(
        file: request.path,
        reason:
          "its job may have \(bytes) bytes of memory, and a host needs \(needed) before it can load anything",
        remedy: "raise the job's limit of memory to \((needed >> 20) + 1) MiB or more")
    }
    try limit(.addressSpace, request, "bytes of memory", "LimitAS=", soft: bytes)
  }

  private static func limit(
    _ limit: CurrentProcess.Limit, _ request: LoadRequest, _ unit: String, _ directive: String, soft: UInt64,
    hard: UInt64? = nil
  ) throws(Refusal) {
    try attempt(
      request, "limit of \(soft) \(unit)",
      "give less, or raise \(directive) of timelined's service, whose own limit is lower"
    ) { () throws(SystemError) in
      try CurrentProcess.setLimit(limit, soft: soft, hard: hard ?? soft)
    }
  }

  /// Refuses a directory that the job's user may not enter. A missing directory is accepted, because it may exist when a
  /// run begins.
  private static func checkDirectory(_ request: LoadRequest) throws(Refusal) {
    guard let directory = request.setup.workingDirectory else { return }
    defer { WorkingDirectory.leave() }
    do throws(SystemError) {
      try CurrentProcess.enterDirectory(directory)
    } catch  where error.isForbidden {
      throw Refusal(
        file: request.path,
        reason: "its job's working directory \(directory) cannot be set: \(error.plainReason)",
        remedy: "let the job's user enter it, and every directory above it")
    } catch {}
  }

  /// Checks as the job's user that a run can read its credentials: all directories above them must be searchable.
  private static func enterCredentials(_ directory: String, _ request: LoadRequest) throws(Refusal) {
    guard let objection = ExecutePermission.objection(to: directory) else { return }
    throw Refusal(
      file: request.path,
      reason: "its job's user cannot enter \(directory), where its credentials are: \(objection.plainReason)",
      remedy:
        "let others enter the directories above it (chmod o+x), or put the control socket elsewhere, as in /run/timelined"
    )
  }

  private static func setEnvironment(_ request: LoadRequest, credentials: String?) throws(Refusal) {
    if let credentials { HostSystem.setEnvironment("CREDENTIALS_DIRECTORY", credentials) }
    for (name, value) in request.setup.environment {
      guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0), !value.utf8.contains(0) else {
        throw Refusal(
          file: request.path, reason: "its job sets the variable \"\(name)\", which no environment can hold",
          remedy: "give it a name without =, and neither name nor value a NUL")
      }
      HostSystem.setEnvironment(name, value)
    }
  }

  private static func attempt(
    _ request: LoadRequest, _ setting: String, _ remedy: String, _ body: () throws(SystemError) -> Void
  ) throws(Refusal) {
    do {
      try body()
    } catch {
      throw Refusal(
        file: request.path, reason: "its job's \(setting) cannot be set: \(error.plainReason)", remedy: remedy
      )
    }
  }
}

extension ElapsedTime {
  /// The length in seconds, rounded up, at least 1.
  fileprivate var wholeSecondsUp: UInt64 {
    UInt64(Swift.max(1, nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 > 0 ? 1 : 0)))
  }
}
