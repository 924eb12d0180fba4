internal import TimelineSystem
internal import TimelineWire

/// Becomes who the job's configuration says, before anything of the plugin is touched.
enum Privileges {
  /// Becomes the request's user for good and gives up gaining privileges if it asks for that; says so in `HOME`,
  /// `USER` and `LOGNAME`, as cron and systemd do.
  static func drop(for request: LoadRequest) throws(Refusal) {
    do {
      if let name = request.user { try become(name, request.path) }
      if request.noNewPrivileges { try CurrentProcess.setNoNewPrivileges() }
    } catch let error as Refusal {
      throw error
    } catch {
      throw Refusal(
        file: request.path, reason: "the host cannot give up its privileges: \(error)",
        remedy: "run timelined as root, or on a kernel of 3.5 or later")
    }
  }

  private static func become(_ name: String, _ path: String) throws {
    let user: UserRecord
    do {
      user = try UserRecord(named: name)
    } catch {
      throw Refusal(
        file: path,
        reason: "its job is to run as the user \"\(name)\", "
          + (error.isMissing ? "who does not exist" : "who cannot be looked up: \(error.reason)"),
        remedy: "create the user, or correct the job's `user`")
    }
    let current = CurrentProcess.effectiveUser
    if user.user != current {
      guard current == 0 else {
        throw Refusal(
          file: path,
          reason:
            "its job is to run as the user \"\(name)\", and only root can become another user, which user "
            + "\(current) is not",
          remedy: "run timelined as root, or leave out the job's `user`")
      }
      try CurrentProcess.become(user)
    }
    HostSystem.setEnvironment("HOME", user.home)
    HostSystem.setEnvironment("USER", user.name)
    HostSystem.setEnvironment("LOGNAME", user.name)
  }
}
