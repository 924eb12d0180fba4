import TimelineConfiguration
import TimelineCore

/// The job for a service. Runs the service's commands if a job supports all settings of the service; otherwise runs
/// `systemctl start`.
struct ServiceJob {
  private(set) var values: [String: String] = [:]
  private(set) var environment: [String: String] = [:]
  /// Units to start after a failure.
  private(set) var onFailure: [String] = []
  private(set) var onSuccess: [String] = []
  /// Settings that a job does not support, so that systemd has to start the service.
  private(set) var obstacles: [String] = []

  private let unit: UnitFile
  private let context: ImportContext
  private var conditions: UnitConditions

  /// Makes the job for a service that a timer starts. `unit` is `nil` if it does not exist or is not a service.
  init(name: String, unit: UnitFile?, timer conditionsOfTimer: UnitConditions, context: ImportContext) {
    self.context = context
    self.unit = unit ?? UnitFile(name: name, parts: [])
    conditions = conditionsOfTimer
    if name.hasSuffix(".service"), unit != nil {
      findObstacles()
      translate()
    } else {
      obstacles.append(
        unit == nil && name.hasSuffix(".service")
          ? "\(name), whose file is not there" : "\(name), which is no service")
    }
    if !obstacles.isEmpty {
      // The service's conditions are omitted, because systemd tests them itself.
      conditions = conditionsOfTimer
      leaveToSystemd(name)
    }
  }

  private mutating func leaveToSystemd(_ name: String) {
    (environment, onFailure, onSuccess) = ([:], [], [])
    values = [:]
    let options = name.hasSuffix(".service") ? ["--wait"] : []
    // A unit's name may begin with a hyphen.
    var parameters = [("command", TOMLText.array(["systemctl", "start"] + options + ["--", name]))]
    if let condition = conditions.parameter { parameters.insert(("condition", condition), at: 0) }
    values["with"] = TOMLText.table(parameters)
  }

  private mutating func findObstacles() {
    ServiceObstacles.settings(in: unit).forEach { note($0) }
    let own = UnitConditions(unit)
    own.unknown.forEach { note($0) }
    conditions.add(own)
    // systemd tests conditions as root, but a job tests them as its user.
    if !conditions.tests.isEmpty, unit.value("Service", "User") ?? "root" != "root" {
      note("conditions together with User=")
    }
  }

  private mutating func note(_ obstacle: String) {
    if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
  }

  // MARK: Translation

  private mutating func translate() {
    setUser()
    setFiles()
    setLimits()
    setTimes()
    setCommands()
    onFailure = unit.list("Unit", "OnFailure").flatMap { $0.split(separator: " ").map(String.init) }
    onSuccess = unit.list("Unit", "OnSuccess").flatMap { $0.split(separator: " ").map(String.init) }
    values["no-new-privileges"] = unit.isTrue("Service", "NoNewPrivileges") ? "true" : "false"
    let mask = UInt16(unit.value("Service", "UMask") ?? "0022", radix: 8) ?? .max
    if mask > 0o777 { note("UMask=") }
    set("umask", "0" + String(0o1000 | mask, radix: 8).dropFirst())
    if let mode = unit.value("Service", "KillMode"), ["process", "none"].contains(mode) {
      set("leftovers", "keep")
    }
  }

  private mutating func set(_ key: String, _ text: String) { values[key] = TOMLText.string(text) }

  private mutating func setUser() {
    if let user = unit.value("Service", "User"), user != "root" {
      if context.home(user) == nil { note("User=\(user), who is not there") }
      set("user", user)
    }
    if let group = unit.value("Service", "Group") { set("group", group) }
  }

  private mutating func setFiles() {
    if let directory = unit.value("Service", "WorkingDirectory") {
      let path = directory == "~" ? context.home(unit.value("Service", "User") ?? "root") ?? "-" : directory
      if path.hasPrefix("/"), context.isDirectory(path) {
        set("working-directory", path)
      } else {
        note("WorkingDirectory=\(directory)")
      }
    }
    for value in unit.list("Service", "Environment") {
      guard let words = UnitWords.split(value) else {
        note("Environment=")
        continue
      }
      for word in words {
        guard let mark = word.firstIndex(of: "="), mark > word.startIndex else {
          note("Environment=")
          continue
        }
        let name = String(word[..<mark])
        if !EnvironmentFileText.isName(name) || EnvironmentFileText.isReserved(name) { note("Environment=") }
        environment[name] = String(word[word.index(after: mark)...])
      }
    }
    setEnvironmentFiles()
    let credentials = unit.list("Service", "LoadCredential").map { $0.split(separator: ":", maxSplits: 1) }
    guard credentials.allSatisfy({ $0.count == 2 && $0[1].hasPrefix("/") }) else {
      return note("LoadCredential=")
    }
    if !credentials.isEmpty {
      values["credentials"] = TOMLText.table(
        credentials.map { (String($0[0]), TOMLText.string(String($0[1]))) })
    }
  }

  private mutating func setEnvironmentFiles() {
    let files = unit.list("Service", "EnvironmentFile")
    guard !files.isEmpty else { return }
    if files.contains(where: { $0.contains("*") }) || files.count > JobLimits.environmentFilesMax {
      note("EnvironmentFile=")
    }
    // In systemd, a file takes precedence over Environment=; in a job, `environment` takes precedence.
    if !environment.isEmpty { note("EnvironmentFile= together with Environment=") }
    values["environment-file"] = TOMLText.array(files)
  }

  private mutating func setLimits() {
    var limits: [(String, String)] = []
    if let nice = unit.value("Service", "Nice") {
      if let number = Int(nice), (-20...19).contains(number) {
        limits.append(("nice", "\(number)"))
      } else {
        note("Nice=")
      }
    }
    let priority = unit.value("Service", "IOSchedulingPriority")
    if let priority, Int(priority).map({ (0...7).contains($0) }) != true { note("IOSchedulingPriority=") }
    switch unit.value("Service", "IOSchedulingClass") {
    case "idle", "3": limits.append(("io", TOMLText.string("idle")))
    case "best-effort", "2": limits.append(("io", TOMLText.string("best-effort:\(priority ?? "4")")))
    case nil where priority == nil: break
    case nil: limits.append(("io", TOMLText.string("best-effort:\(priority ?? "4")")))
    default: note("IOSchedulingClass=")
    }
    if let files = unit.value("Service", "LimitNOFILE") {
      if let number = Int64(files), ConfigurationLimits.openFileCountRange.contains(number) {
        limits.append(("open-files", "\(number)"))
      } else {
        note("LimitNOFILE=")
      }
    }
    if let memory = unit.value("Service", "LimitAS") {
      if let size = ServiceLimits.size(memory) {
        limits.append(("memory", TOMLText.string(size)))
      } else {
        note("LimitAS=")
      }
    }
    if !limits.isEmpty { values["limits"] = TOMLText.table(limits) }
    let shared = ServiceLimits(of: unit)
    shared.obstacles.forEach { note($0) }
    if !shared.values.isEmpty { values["run-limits"] = TOMLText.table(shared.values) }
  }

  private mutating func setTimes() {
    let isOneshot = unit.value("Service", "Type") == "oneshot"
    // TimeoutSec= sets both timeouts. The last line counts.
    let start =
      isOneshot
      ? unit.setting("Service", "TimeoutStartSec", "TimeoutSec") : unit.setting("Service", "RuntimeMaxSec")
    let stop = unit.setting("Service", "TimeoutStopSec", "TimeoutSec")
    for (key, setting) in [("timeout", start), ("grace", stop)] {
      guard let value = setting?.value, value != "infinity", value != "0" else { continue }
      if let span = UnitTimespan.parse(value), span >= .milliseconds(1),
        span <= ConfigurationLimits.elapsedMax
      {
        set(key, "\(span)")
      } else {
        note("a timeout of \(value)")
      }
    }
    // Without a timeout, only an operator stops a run, so `grace` alone would cause a warning.
    if values["timeout"] == nil { values["grace"] = nil }
  }

  private mutating func setCommands() {
    var commands: [UnitCommand] = []
    let runsAsRoot = values["user"] == nil
    do throws(UnitCommand.Obstacle) {
      for value in unit.list("Service", "ExecCondition") {
        for command in try UnitCommand.commands(value, runsAsRoot: runsAsRoot) {
          conditions.add(command: command)
        }
      }
      for key in ["ExecStartPre", "ExecStart", "ExecStartPost"] {
        for value in unit.list("Service", key) {
          commands += try UnitCommand.commands(value, runsAsRoot: runsAsRoot)
        }
      }
    } catch {
      return note(error.text)
    }
    guard let first = commands.first else { return note("no ExecStart=") }
    var parameters: [(String, String)] = []
    if let condition = conditions.parameter { parameters.append(("condition", condition)) }
    if commands.count == 1, !first.mayFail {
      parameters.append(("command", first.text))
    } else {
      parameters.append(("commands", "[" + commands.map(\.element).joined(separator: ", ") + "]"))
    }
    let statuses = unit.list("Service", "SuccessExitStatus").flatMap {
      $0.split(separator: " ").map { Int($0) }
    }
    if statuses.contains(nil) { note("SuccessExitStatus=") }
    if !statuses.isEmpty {
      let numbers = Set(statuses.compactMap(\.self) + [0]).sorted().map(String.init)
      parameters.append(("success-statuses", "[" + numbers.joined(separator: ", ") + "]"))
    }
    values["with"] = TOMLText.table(parameters)
  }
}
