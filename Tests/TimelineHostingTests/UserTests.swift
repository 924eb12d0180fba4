import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// The user of a plugin. Tests that need root are skipped for others.
@Suite struct UserTests {
  private static let tells = PluginSource.run(
    #"""
    char text[512];
    gid_t groups[64];
    snprintf(text, sizeof text, "%d %d %d %s %s %d %d", getuid(), geteuid(), getgid(), getenv("HOME"), getenv("USER"),
      getgroups(64, groups), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    host->set_result(context->call, text);
    return setuid(0) == 0 && getuid() == 0 ? TIMELINED_FAIL(context, "became root again") : TIMELINED_OK;
    """#)

  @Test(.enabled(if: isRoot, "only root can become another user"))
  func `a plugin runs as the job's user, who cannot become root again`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    let nobody = unsafe try #require(unsafe getpwnam("nobody"))
    let (uid, gid, home) = unsafe (
      nobody.pointee.pw_uid, nobody.pointee.pw_gid, String(cString: nobody.pointee.pw_dir)
    )
    let host = try HostProcess()
    guard case .loaded = try host.load(library, user: "nobody") else { throw TestFailure("not loaded") }
    try host.open()
    let end = try host.run().end
    #expect(end.status == .succeeded && end.text == "\(uid) \(uid) \(gid) \(home) nobody 1 1")
  }

  @Test(.enabled(if: isRoot, "only root can become another user"), arguments: [nil, "nobody"])
  func `a configured group is the primary one, in place of the user's`(user: String?) throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        char text[64];
        snprintf(text, sizeof text, "%d %d", getuid(), getgid());
        host->set_result(context->call, text);
        return TIMELINED_OK;
        """#))
    let uid = unsafe user == nil ? 0 : try #require(unsafe getpwnam("nobody")).pointee.pw_uid
    let gid = unsafe try #require(unsafe getgrnam("mail")).pointee.gr_gid
    var setup = HostSetup()
    setup.group = "mail"
    let host = try HostProcess()
    guard case .loaded = try host.load(library, user: user, setup: setup) else {
      throw TestFailure("not loaded")
    }
    try host.open()
    #expect(try host.run().end.text == "\(uid) \(gid)")
    setup.group = "no-group-of-that-name"
    guard case .refused(let refusal) = try HostProcess().load(library, user: user, setup: setup) else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("the group \"no-group-of-that-name\", which does not exist"))
  }

  @Test func `without a user a plugin runs as the host's user, and keeps privileges if configured`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    var setup = HostSetup()
    setup.noNewPrivileges = false
    try host.load(
      try workshop.compile(
        PluginSource.run(
          #"return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? TIMELINED_OK : TIMELINED_FAILED;"#)),
      setup: setup)
    try host.open()
    #expect(try host.run().end.status == .succeeded)
  }

  @Test(.enabled(if: isRoot, "only root can start a host that is not"))
  func `a host that is not root refuses to become another user`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    let launcher = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    let host = try HostProcess(launcher: launcher)
    guard case .refused(let refusal) = try host.load(library, user: "root") else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("only root can change user") && refusal.file == library)
    var setup = HostSetup()
    setup.group = "mail"
    guard case .refused(let group) = try HostProcess(launcher: launcher).load(library, setup: setup) else {
      throw TestFailure("not refused")
    }
    #expect(group.reason.contains("only root can change group"), "\(group)")
    setup.group = "nogroup"
    let own = try HostProcess(launcher: launcher)
    guard case .loaded = try own.load(library, setup: setup) else { throw TestFailure("refused") }
    let same = try HostProcess(launcher: launcher)
    guard case .loaded = try same.load(library, user: "nobody") else { throw TestFailure("refused") }
  }

  @Test(.enabled(if: isRoot, "only root can become another user"))
  func `a library that the job's user may not read is refused`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    unsafe chmod(library, 0o700)
    guard case .refused(let refusal) = try HostProcess().load(library, user: "nobody") else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("permission denied") && refusal.remedy.contains("user"))
  }

  private static let tellsVariables = PluginSource.run(
    #"""
    char text[1024];
    const char *names[] = {"HOME", "USER", "LOGNAME", "SHELL"};
    size_t length = 0;
    for (int index = 0; index < 4; index++) {
      const char *value = getenv(names[index]);
      length += snprintf(text + length, sizeof text - length, "%s=%s;", names[index], value ? value : "");
    }
    host->set_result(context->call, text);
    return TIMELINED_OK;
    """#)

  private func variables(
    launcher: [String] = [], user: String? = nil, environment: [String: String] = [:]
  ) throws -> String? {
    let workshop = try Workshop()
    let host = try HostProcess(launcher: launcher)
    var setup = HostSetup()
    setup.environment = environment
    let answer = try host.load(try workshop.compile(Self.tellsVariables), user: user, setup: setup)
    guard case .loaded = answer else { throw TestFailure("not loaded: \(String(describing: answer))") }
    try host.open()
    return try host.run().end.text
  }

  @Test func `the environment of a plugin names its user, configured or not`() throws {
    let own = try UserRecord(numbered: CurrentProcess.effectiveUser)
    let expected = "HOME=\(own.home);USER=\(own.name);LOGNAME=\(own.name);SHELL=/bin/sh;"
    #expect(try variables() == expected)
    #expect(try variables(user: own.name) == expected)
  }

  @Test func `the variables of the job take precedence`() throws {
    let own = try UserRecord(numbered: CurrentProcess.effectiveUser)
    let text = try variables(environment: ["HOME": "/elsewhere", "SHELL": "/bin/bash"])
    #expect(text == "HOME=/elsewhere;USER=\(own.name);LOGNAME=\(own.name);SHELL=/bin/bash;")
  }

  @Test(.enabled(if: isRoot, "only root can start a host that is not"))
  func `a user that is not in the database runs plugins without these variables`() throws {
    let launcher = ["/usr/bin/setpriv", "--reuid=4000000000", "--regid=nogroup", "--clear-groups"]
    #expect(try variables(launcher: launcher) == "HOME=;USER=;LOGNAME=;SHELL=;")
  }
}
