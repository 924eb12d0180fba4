internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Changes the process's user and group to those of the job's configuration.
enum Privileges {
  /// Looks up the user and the group that a job names; `nil` if the job names neither.
  static func account(of request: LoadRequest) throws(Refusal) -> UserRecord? {
    var user = try request.user.map { name throws(Refusal) in try Privileges.user(named: name, request.path) }
    guard let group = request.setup.group else {
      // If the user is this process's own, the process keeps its group, because only root can change the group.
      if user?.user == CurrentProcess.effectiveUser { user?.group = CurrentProcess.effectiveGroup }
      return user
    }
    guard var account = user ?? ownUser else {
      throw Refusal(
        file: request.path,
        reason:
          "its job has a `group`, and user \(CurrentProcess.effectiveUser), as whom it runs, has no name",
        remedy: "name a `user`, or create one of that number")
    }
    account.group = try number(ofGroup: group, request.path)
    return account
  }

  private static func number(ofGroup name: String, _ path: String) throws(Refusal) -> UInt32 {
    let number: UInt32
    do {
      number = try UserRecord.group(named: name)
    } catch {
      throw Refusal(
        file: path,
        reason: "its job is to run with the group \"\(name)\", "
          + (error.isMissing
            ? "which does not exist" : "which cannot be looked up: \(error.plainReason)"),
        remedy: "create the group, or correct the job's `group`")
    }
    guard number == CurrentProcess.effectiveGroup || CurrentProcess.effectiveUser == 0 else {
      throw Refusal(
        file: path,
        reason:
          "only root can change group: its job is to run with the group \"\(name)\", and timelined runs as user "
          + "\(CurrentProcess.effectiveUser)",
        remedy: "run timelined as root, or take `group` out of the job")
    }
    return number
  }

  /// Looks up the user `name`. `path` is the path of the plugin, for the refusal when there is no such user.
  static func user(named name: String, _ path: String) throws(Refusal) -> UserRecord {
    let user: UserRecord
    do {
      user = try UserRecord(named: name)
    } catch {
      throw Refusal(
        file: path,
        reason: "its job is to run as the user \"\(name)\", "
          + (error.isMissing ? "who does not exist" : "who cannot be looked up: \(error.plainReason)"),
        remedy: "create the user, or correct the job's `user`")
    }
    let current = CurrentProcess.effectiveUser
    guard user.user == current || current == 0 else {
      throw Refusal(
        file: path,
        reason:
          "only root can change user: its job is to run as the user \"\(name)\", and timelined runs as user "
          + "\(current)",
        remedy: "run timelined as root, or take `user` out of the job")
    }
    return user
  }

  /// User that this process runs as; `nil` if the user database does not contain its number, which is no error.
  static var ownUser: UserRecord? { try? UserRecord(numbered: CurrentProcess.effectiveUser) }

  /// Becomes `user` permanently.
  static func become(_ user: UserRecord, _ path: String) throws(Refusal) {
    guard user.user != CurrentProcess.effectiveUser || user.group != CurrentProcess.effectiveGroup else {
      return
    }
    do {
      try CurrentProcess.become(user)
    } catch {
      throw cannotGiveUp(error, path)
    }
  }

  /// Sets the variables that cron sets for each job: `HOME`, `USER`, `LOGNAME`, and `SHELL`. The value of `SHELL` is the
  /// shell of crontabs, `/bin/sh`, and not the user's login shell.
  static func setEnvironment(of user: UserRecord) {
    HostSystem.setEnvironment("HOME", user.home)
    HostSystem.setEnvironment("USER", user.name)
    HostSystem.setEnvironment("LOGNAME", user.name)
    HostSystem.setEnvironment("SHELL", "/bin/sh")
  }

  /// Prevents this thread, and the threads and processes that it starts, from gaining privileges by executing a file.
  static func giveUpGaining(_ path: String) throws(Refusal) {
    do {
      try CurrentProcess.setNoNewPrivileges()
    } catch {
      throw cannotGiveUp(error, path)
    }
  }

  private static func cannotGiveUp(_ error: SystemError, _ path: String) -> Refusal {
    Refusal(
      file: path, reason: "the host cannot give up its privileges: \(error)",
      remedy: "run timelined as root, or on a kernel of 3.5 or later")
  }
}
