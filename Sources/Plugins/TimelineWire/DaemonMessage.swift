package import TimelineCore

/// A message from the daemon to a plugin host. Each message is one SEQPACKET message.
///
/// The order is `load`, then any number of times `open`, `run`..., `close`, and `exit` at the end. Each of these is sent
/// after the answer to the one before; only `cancel` and `mode` may be sent while a run is active. The end of the socket
/// has the effect of `cancel` and `exit` together.
package enum DaemonMessage: Sendable, Equatable {
  /// Become the user and load the plugin; answered by ``HostMessage/loaded(_:)`` or ``HostMessage/refused(_:)``. After
  /// ``HostMessage/refused(_:)`` a host accepts only `exit`.
  case load(LoadRequest)
  /// Make an instance for a job, under a number that no open instance has; answered by ``HostMessage/opened`` or
  /// ``HostMessage/openFailed(_:)``. After ``HostMessage/openFailed(_:)`` another `open` may be sent.
  case open(OpenRequest)
  /// Call the plugin for one attempt; answered by ``HostMessage/ended(_:)``.
  case run(RunRequest)
  /// Ask the run with this number to stop. Has no answer of its own: the host reports the end of the run. Ignored when the
  /// run is over.
  case cancel(run: UInt64)
  /// The daemon's mode and cadence have changed while the run with this number is active. Not answered. Ignored when the
  /// run is over.
  case mode(run: UInt64, CurrentMode)
  /// Free the instance of this number; answered by ``HostMessage/closed``.
  case close(instance: UInt32)
  /// Free all instances and end the process with status 0.
  case exit
}

/// The library to load, with its user and its setup.
package struct LoadRequest: Sendable, Equatable {
  /// An absolute path.
  package let path: String
  /// The user to become before the plugin is opened; `nil` to keep the host's user.
  package let user: String?
  package let setup: HostSetup
  /// The directory that the host makes for ``HostSetup/credentials`` and that the daemon removes after the host's end;
  /// `nil` if the job has no credentials, or no directory for them is available.
  package let credentialsDirectory: String?
  /// The directory of the control group that the host makes for itself and that the daemon removes after the host's end;
  /// `nil` for none.
  package let controlGroup: String?

  /// Makes a request; throws ``WireError/tooLong(field:length:max:)`` and ``WireError/tooMany(field:count:max:)``.
  package init(
    path: String, user: String? = nil, setup: HostSetup = HostSetup(), credentialsDirectory: String? = nil,
    controlGroup: String? = nil
  ) throws(WireError) {
    try check(path.utf8.count, "the plugin's path", max: WireLimits.pathMax)
    try check(user?.utf8.count ?? 0, "the user's name", max: WireLimits.userMax)
    try check(
      setup.workingDirectory?.utf8.count ?? 0, "the working directory's path", max: WireLimits.pathMax)
    try check(setup.group?.utf8.count ?? 0, "the group's name", max: WireLimits.userMax)
    try check(
      setup.environmentFiles, "environment files", countMax: JobLimits.environmentFilesMax,
      bytesMax: JobLimits.environmentFilePathsMax)
    try check(
      setup.sandbox.writable ?? [], "writable paths", countMax: JobLimits.writablePathsMax,
      bytesMax: JobLimits.writablePathsByteCountMax)
    try check(count: setup.environment.count, "variables in the environment", max: WireLimits.variablesMax)
    try check(setup.environment.textBytes, "the environment", max: WireLimits.environmentMax)
    try check(count: setup.credentials.count, "credentials", max: WireLimits.credentialsMax)
    try check(
      setup.credentials.textBytes, "the list of credentials", max: WireLimits.credentialNamesMax)
    try check(
      credentialsDirectory?.utf8.count ?? 0, "the credentials directory's path", max: WireLimits.pathMax)
    try check(controlGroup?.utf8.count ?? 0, "the control group's path", max: WireLimits.controlGroupMax)
    self.path = path
    self.user = user
    self.setup = setup
    self.credentialsDirectory = credentialsDirectory
    self.controlGroup = controlGroup
  }
}

/// The job of an instance.
package struct OpenRequest: Sendable, Equatable {
  package let job: JobName
  /// The job's parameters, one JSON value as text; `{}` when there are none.
  package let parameters: String
  /// Whether the job runs in a rehearsal, on another clock than the system's.
  package let isRehearsal: Bool
  /// The number by which later messages refer to the instance.
  package let instance: UInt32

  /// Makes a request; throws ``WireError/tooLong(field:length:max:)``.
  package init(
    job: JobName, parameters: String = "{}", isRehearsal: Bool = false, instance: UInt32 = 0
  ) throws(WireError) {
    try check(parameters.utf8.count, "the job's parameters as JSON", max: WireLimits.parametersMax)
    self.job = job
    self.parameters = parameters
    self.isRehearsal = isRehearsal
    self.instance = instance
  }
}

/// One attempt, with the values of the plugin's context.
package struct RunRequest: Sendable, Equatable {
  /// The end of the job's previous attempt.
  package struct Previous: Sendable, Equatable {
    package let status: RunStatus
    /// The result or the error of the attempt; empty for none.
    package let text: String

    /// Makes the end of a run; `text` is cut to ``WireLimits/textMax``.
    package init(status: RunStatus, text: String) {
      self.status = status
      self.text = text.cut(to: WireLimits.textMax)
    }
  }

  /// The run's number, which the answers repeat.
  package var run: UInt64
  /// The number of the instance that is called.
  package var instance: UInt32
  /// The run key, the same for every attempt of one entry.
  package let runKey: String
  package var nominal: WallInstant
  /// The instant at which the daemon decided to start.
  package var actual: WallInstant
  /// The instant at which the run will be asked to stop; `nil` for never.
  package var deadline: WallInstant?
  /// The time before which the plugin host does not call the plugin, in nanoseconds of CLOCK_MONOTONIC; `nil` for no wait.
  package var notBefore: Int64?
  /// Minimum time before ``notBefore`` for which the plugin host keeps its processor busy, in nanoseconds. The host extends
  /// this time if its wake-ups were later.
  package var spin: Int64
  /// The time after which the plugin host does not call the plugin, in nanoseconds of CLOCK_BOOTTIME; `nil` for no limit.
  /// After this time the run ends as cancelled, without a call.
  package var startBy: Int64?
  /// The fencing token of the entry's claim; `nil` without a cluster.
  package var fencingToken: Int64?
  /// Instants, ascending, from which entries have moved to ``nominal``; at most ``WireLimits/movedFromMax``.
  package let movedFrom: [WallInstant]
  /// The rate of updates that the run can currently expect.
  package var cadence: Cadence
  package var mode: ScheduleMode
  /// 1 for the first attempt.
  package var attempt: UInt32
  /// The number of entries that the run stands for, at least 1.
  package var entryCount: UInt64
  /// The end of the job's previous attempt; `nil` if there was none.
  package var previous: Previous?
  /// The job's cursor; empty for none.
  package let cursor: [UInt8]
  /// The outcome of the other job's entry that this run reacts to, a JSON object as text; `nil` if the run is not a
  /// reaction.
  package let upstream: String?

  /// Makes a request; throws ``WireError/tooLong(field:length:max:)``.
  package init(
    run: UInt64, runKey: String, nominal: WallInstant, actual: WallInstant, deadline: WallInstant? = nil,
    cadence: Cadence = .live, mode: ScheduleMode = .normal, attempt: UInt32 = 1, entryCount: UInt64 = 1,
    previous: Previous? = nil, cursor: [UInt8] = [], upstream: String? = nil, instance: UInt32 = 0,
    notBefore: Int64? = nil, spin: Int64 = 0, startBy: Int64? = nil, fencingToken: Int64? = nil,
    movedFrom: [WallInstant] = []
  ) throws(WireError) {
    try check(count: movedFrom.count, "instants that it moved from", max: WireLimits.movedFromMax)
    try check(runKey.utf8.count, "the run key", max: WireLimits.runKeyMax)
    try check(upstream?.utf8.count ?? 0, "the upstream", max: WireLimits.upstreamMax)
    try check(cursor.count, "the cursor", max: WireLimits.cursorMax)
    self.run = run
    self.instance = instance
    self.runKey = runKey
    self.nominal = nominal
    self.actual = actual
    self.deadline = deadline
    self.notBefore = notBefore
    self.spin = spin
    self.startBy = startBy
    self.fencingToken = fencingToken
    self.movedFrom = movedFrom
    self.cadence = cadence
    self.mode = mode
    self.attempt = attempt
    self.entryCount = entryCount
    self.previous = previous
    self.cursor = cursor
    self.upstream = upstream
  }
}

/// The status of a finished call of a plugin; the ABI's `timelined_status` with the same numbers.
package enum RunStatus: UInt8, Sendable, Hashable, CaseIterable {
  case succeeded = 0
  /// The call failed, and a retry would not help.
  case failed = 1
  /// The call failed, and a later retry may succeed.
  case failedForNow = 2
  /// The call stopped because it was asked to.
  case cancelled = 3
}

extension [String: String] {
  /// Number of bytes of all keys and values.
  fileprivate var textBytes: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}

private func check(_ length: Int, _ field: String, max: Int) throws(WireError) {
  if length > max { throw .tooLong(field: field, length: length, max: max) }
}

private func check(count: Int, _ field: String, max: Int) throws(WireError) {
  if count > max { throw .tooMany(field: field, count: count, max: max) }
}

private func check(
  _ paths: [ExpectedPath], _ field: String, countMax: Int, bytesMax: Int
) throws(WireError) {
  try check(count: paths.count, field, max: countMax)
  try check(paths.reduce(0) { $0 + $1.text.utf8.count }, field, max: bytesMax)
}
