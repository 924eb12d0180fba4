import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Who a plugin runs as. What needs root is skipped for others.
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

  @Test func `without a user a plugin runs as whom the host is, and keeps privileges if told to`() throws {
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
  func `a host that is not root refuses to become somebody else`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    let launcher = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    let host = try HostProcess(launcher: launcher)
    guard case .refused(let refusal) = try host.load(library, user: "root") else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("only root can become another user") && refusal.file == library)
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
    #expect(refusal.reason.contains("Permission denied") && refusal.remedy.contains("user"))
  }
}
