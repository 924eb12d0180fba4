import Foundation
import Glibc
import Synchronization
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineSandbox

/// Version of Landlock of the machine under test; 0 for none.
private let landlockVersion = (try? Landlock.version()) ?? 0

/// The result of a thread, once there is one.
private final class Box<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}

/// Sandboxes of threads, which end with their threads, on the kernel of this machine and on the older ones that it can
/// simulate.
@Suite struct SandboxEntryTests {
  /// The error of each attempt to change a file; 0 for a success.
  private struct Attempts: Equatable {
    var results: [String: CInt] = [:]

    mutating func note(_ name: String, _ result: CInt) { results[name] = result < 0 ? errno : 0 }
  }

  /// Two trees: `in`, which may be changed, with the directories `a` and `b`, and `out`.
  private func trees() throws -> Workshop {
    let workshop = try Workshop()
    for name in ["in/a/file", "in/a/other", "in/b/file", "in/a/cut", "out/file", "out/cut"] {
      try workshop.write("text", to: name)
    }
    return workshop
  }

  private func attempts(in root: String) -> Attempts {
    var attempts = Attempts()
    func open(_ path: String, _ flags: CInt) -> CInt {
      let number = unsafe Glibc.open(path, flags, 0o600)
      if number >= 0 { close(number) }
      return number
    }
    attempts.note("read outside", open(root + "/out/file", O_RDONLY))
    attempts.note("write outside", open(root + "/out/file", O_WRONLY))
    attempts.note("make outside", open(root + "/out/new", O_WRONLY | O_CREAT))
    attempts.note("empty outside", open(root + "/out/file", O_RDONLY | O_TRUNC))
    attempts.note("empty for nothing outside", open(root + "/out/file", O_ACCMODE | O_TRUNC))
    unsafe attempts.note("truncate outside", truncate(root + "/out/cut", 1))
    unsafe attempts.note("remove outside", unlink(root + "/out/file"))
    unsafe attempts.note("directory outside", mkdir(root + "/out/directory", 0o700))
    unsafe attempts.note("pipe outside", mkfifo(root + "/out/pipe", 0o600))
    unsafe attempts.note("symbolic link outside", symlink("file", root + "/out/symbolic"))
    unsafe attempts.note("link outside", link(root + "/in/a/file", root + "/out/link"))
    unsafe attempts.note("move outside", rename(root + "/in/a/file", root + "/out/moved"))
    unsafe attempts.note("move inside", rename(root + "/in/a/other", root + "/in/b/other"))
    attempts.note("write inside", open(root + "/in/a/file", O_WRONLY | O_TRUNC))
    attempts.note("make inside", open(root + "/in/a/new", O_WRONLY | O_CREAT))
    attempts.note("empty inside", open(root + "/in/a/file", O_RDONLY | O_TRUNC))
    attempts.note("empty for nothing inside", open(root + "/in/a/file", O_ACCMODE | O_TRUNC))
    unsafe attempts.note("truncate inside", truncate(root + "/in/a/cut", 1))
    unsafe attempts.note("remove inside", unlink(root + "/in/b/file"))
    attempts.note("write to nowhere", open("/dev/null", O_WRONLY))
    return attempts
  }

  /// Calls `body` on a thread that is under the sandbox.
  private func confined<Result: Sendable>(
    _ sandbox: Sandbox, version: Int, _ body: @escaping @Sendable () -> Result
  ) throws -> Result {
    var setup = HostSetup()
    setup.sandbox = sandbox
    let request = try LoadRequest(path: "/plugin.so", setup: setup)
    return try onThread {
      try CurrentProcess.setNoNewPrivileges()
      try SandboxEntry.enter(request) { version }
      return body()
    }
  }

  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let (box, done) = (Box<Result>(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let result = Swift.Result { try body() }
      box.result.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return try #require(box.result.withLock { $0 }).get()
  }

  private func sandbox(_ writable: String...) -> Sandbox {
    var sandbox = Sandbox()
    sandbox.writable = writable.map { ExpectedPath($0) }
    return sandbox
  }

  /// A version of Landlock that this kernel can simulate, and the errors in which versions differ.
  static let versions: [(version: Int, emptyOutside: CInt, emptyInside: CInt, moveInside: CInt)] = [
    (1, EPERM, EPERM, EXDEV), (2, EPERM, EPERM, 0), (3, EACCES, 0, 0), (99, EACCES, 0, 0),
  ]

  @Test(
    .enabled(if: landlockVersion >= 3, "the kernel has no Landlock, or one of before 6.2"),
    arguments: versions.indices)
  func `no file outside of the writable trees can be changed on any version of the kernel`(index: Int) throws
  {
    let row = Self.versions[index]
    let workshop = try trees()
    let root = workshop.path
    let found = try confined(sandbox(root + "/in"), version: row.version) { [self] in attempts(in: root) }
    var expected: [String: CInt] = [:]
    for name in found.results.keys { expected[name] = name.hasSuffix("outside") ? EACCES : 0 }
    expected["read outside"] = 0
    for way in ["truncate", "empty", "empty for nothing"] {
      expected["\(way) outside"] = row.emptyOutside
      expected["\(way) inside"] = row.emptyInside
    }
    expected["move inside"] = row.moveInside
    #expect(found.results == expected)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/out").sorted() == ["cut", "file"])
    for name in ["cut", "file"] {
      #expect(FileManager.default.contents(atPath: "\(root)/out/\(name)") == Data("text".utf8))
    }
  }

  @Test(.enabled(if: landlockVersion >= 1, "the kernel has no Landlock"))
  func `a single file can be writable, or no path`() throws {
    let workshop = try trees()
    let root = workshop.path
    let version = landlockVersion
    let one = try confined(sandbox(root + "/in/a/file", "-/no/such/path"), version: version) { [self] in
      attempts(in: root).results
    }
    #expect(one["write inside"] == 0 && one["make inside"] == EACCES && one["remove inside"] == EACCES)
    let none = try confined(sandbox(), version: version) { [self] in attempts(in: root).results }
    #expect(none["write inside"] == EACCES && none["write to nowhere"] == 0 && none["read outside"] == 0)
  }

  @Test func `each combination of rules makes a filter`() throws {
    for policy in SystemCallPolicy.allCases {
      var sandbox = sandbox()
      sandbox.systemCalls = policy
      let plan = try #require(SandboxPlan(sandbox, landlock: 1))
      try onThread {
        try CurrentProcess.setNoNewPrivileges()
        try SystemCallFilter.enter(plan.rules, denyingNewer: plan.deniesNewerCalls)
      }
    }
  }

  private func refusal(_ sandbox: Sandbox, _ version: @escaping @Sendable () throws(SystemError) -> Int)
    throws
    -> Refusal?
  {
    var setup = HostSetup()
    setup.sandbox = sandbox
    let request = try LoadRequest(path: "/plugin.so", setup: setup)
    return try onThread {
      try CurrentProcess.setNoNewPrivileges()
      do throws(Refusal) {
        try SandboxEntry.enter(request, landlock: version)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(arguments: [ENOSYS, EOPNOTSUPP, EPERM])
  func `a kernel without Landlock refuses a job that does not allow to run without`(code: CInt) throws {
    let lacks = { @Sendable () throws(SystemError) -> Int in throw SystemError(code: code, call: "landlock") }
    var sandbox = sandbox("/tmp")
    let refusal = try #require(try refusal(sandbox, lacks))
    #expect(refusal.reason.contains("Landlock, which holds it to its `writable` paths, is not there: "))
    #expect(refusal.remedy.contains("`unsupported`"), "\(refusal)")
    sandbox.unsupported = .run
    #expect(try self.refusal(sandbox, lacks) == nil)
    sandbox.writable = nil
    sandbox.unsupported = .refuse
    #expect(try self.refusal(sandbox, lacks) == nil, "nothing asks for it")
  }

  @Test(.enabled(if: landlockVersion >= 1, "the kernel has no Landlock"))
  func `a missing path is refused by its name`() throws {
    let refusal = try #require(try refusal(sandbox("/no/such/path"), Landlock.version))
    #expect(
      refusal.reason == "its job's writable path /no/such/path cannot be set: no such file or directory")
    #expect(refusal.remedy == "create it, or write \"-/no/such/path\" if it may be missing")
  }
}
