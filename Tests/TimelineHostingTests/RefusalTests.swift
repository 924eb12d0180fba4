import Foundation
import Glibc
import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Every way in which a library can be no plugin: refused with file, reason and remedy, and never a crash.
@Suite struct RefusalTests {
  /// Loads the file and returns the refusal, which must name the file and be the host's last message.
  private func refusal(of path: String, user: String? = nil) throws -> Refusal {
    let host = try HostProcess()
    guard case .refused(let refusal) = try host.load(path, user: user) else {
      throw TestFailure("\(path) was taken")
    }
    try host.send(.exit)
    #expect(try host.end() == .exited(0))
    #expect(refusal.file == path && !refusal.remedy.isEmpty)
    return refusal
  }

  @Test(
    arguments: [
      ("return NULL;", "returned NULL", "ABI"),
      ("table.struct_size = 0; return &table;", "its struct_size is 0", "sizeof(timelined_plugin)"),
      ("table.struct_size = 64; return &table;", "of 72 to 4096 bytes, and its struct_size is 64", "sizeof"),
      ("table.struct_size = 0xdeadbeef; return &table;", "struct_size is 3735928559", "sizeof"),
      (
        "table.abi_oldest = 2; table.abi_newest = 9; return &table;",
        "expected a plugin that speaks one of ABI 1 to 1, and it speaks 2 to 9", "newer timelined"
      ),
      (
        "table.abi_oldest = table.abi_newest = 0; return &table;", "it speaks 0 to 0",
        "build the plugin against"
      ),
      (
        "table.abi_oldest = 1; table.abi_newest = 0; return &table;", "it speaks 1 to 0",
        "build the plugin against"
      ),
      (
        "table.reserved = 5; return &table;", "reserved member to be zero, and it is 5",
        "TIMELINED_PLUGIN_HEAD"
      ),
      ("table.run = NULL; return &table;", "expected a run function", "set run"),
      ("table.name = NULL; return &table;", "expected a name", "set name"),
      ("table.version = NULL; return &table;", "expected a version", "set version"),
      ("table.summary = NULL; return &table;", "expected a summary", "set summary"),
      (#"table.name = "two words"; return &table;"#, #"it is "two words""#, "short name"),
      (#"table.name = ""; return &table;"#, "one word", "short name"),
      (
        "char *s = malloc(40001); for (int i = 0; i < 40000; i++) s[i] = 'x'; s[40000] = 0; "
          + "table.parameters_schema = s; return &table;", "has 40000 bytes and at most 32768",
        "smaller schema"
      ),
    ])
  func `a table that breaks the contract is refused`(body: String, reason: String, remedy: String) throws {
    let workshop = try Workshop()
    let refusal = try refusal(of: try workshop.compile(PluginSource.entry(body)))
    #expect(refusal.reason.contains(reason), "\(refusal)")
    #expect(refusal.remedy.contains(remedy), "\(refusal)")
  }

  @Test func `a table that ends after run is accepted, and its tail counts as absent`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    let library = try workshop.compile(
      PluginSource.entry("table.struct_size = 72; table.close = (void (*)(void *))1; return &table;"))
    guard case .loaded = try host.load(library) else { throw TestFailure("not loaded") }
    #expect(try host.open() == .opened)
    #expect(try host.run().end.status == .succeeded)
    try host.send(.close(instance: 0))
    #expect(try host.receive() == .closed)
  }

  @Test func `a table that is larger than the host's own is accepted`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.entry(
        "static struct { timelined_plugin known; void *more[4]; } larger; larger.known = good; "
          + "larger.known.struct_size = sizeof larger; return &larger.known;"))
    guard case .loaded = try HostProcess().load(library) else { throw TestFailure("not loaded") }
  }

  @Test(
    arguments: [
      ("int x;", "expected a function timelined_plugin_entry or timelined_plugin_entry_", "visibility"),
      ("int x;", "the library exports neither", "use the file's own name if the library has several plugins"),
      ("int no_such_function(void); int f(void) { return no_such_function(); }", "undefined symbol", "link"),
    ])
  func `a library that is no plugin is refused`(source: String, reason: String, remedy: String) throws {
    let workshop = try Workshop()
    let refusal = try refusal(of: try workshop.compile(source))
    #expect(refusal.reason.contains(reason) && refusal.remedy.contains(remedy), "\(refusal)")
    #expect(!"\(refusal)".contains("/proc/self"), "the linker's text names the file: \(refusal)")
  }

  @Test(
    arguments: [
      (3, "i386"), (22, "s390x"), (243, "riscv64"), (9_999, "machine 9999 of elf.h"),
    ] as [(UInt16, String)])
  func `a library for another machine is refused`(number: UInt16, name: String) throws {
    let workshop = try Workshop()
    let library = URL(fileURLWithPath: try workshop.compile(PluginSource.run("return TIMELINED_OK;")))
    var bytes = try Data(contentsOf: library)
    bytes.replaceSubrange(18...19, with: [UInt8(number & 0xFF), UInt8(number >> 8)])
    try bytes.write(to: library)
    let refusal = try refusal(of: library.path)
    #expect(refusal.reason.hasPrefix("it is built for \(name), and timelined runs on "), "\(refusal)")
    #expect(refusal.remedy.hasPrefix("install the build of the plugin for "), "\(refusal)")
  }

  @Test func `a missing file, a directory, a FIFO, a text, a truncated file and a relative path are refused`()
    throws
  {
    let workshop = try Workshop()
    func expect(_ name: String, _ reason: String, _ location: SourceLocation = #_sourceLocation) throws {
      let refusal = try refusal(of: name)
      #expect(refusal.reason.contains(reason), "\(refusal)", sourceLocation: location)
    }
    try expect("\(workshop.path)/none.so", "no such file")
    try expect(workshop.path, "must be a regular file")
    unsafe mkfifo("\(workshop.path)/fifo", 0o600)
    try expect("\(workshop.path)/fifo", "must be a regular file")
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: "\(workshop.path)/text.so"))
    try expect("\(workshop.path)/text.so", "file too short")
    try Data(repeating: 0x20, count: 4096).write(to: URL(fileURLWithPath: "\(workshop.path)/text.so"))
    try expect("\(workshop.path)/text.so", "invalid ELF header")
    try expect("plugin.so", "must be absolute")
  }

  @Test(arguments: [0o777, 0o757, 0o775] as [mode_t])
  func `a library or a directory that others may write is refused`(mode: mode_t) throws {
    let workshop = try Workshop()
    let library = try workshop.compile(PluginSource.run("return TIMELINED_OK;"))
    // The owner's private group, which has no other member, is trusted; root's group is not taken for one.
    let isOwnGroup = mode == 0o775 && !isRoot
    unsafe chmod(library, mode)
    if !isOwnGroup {
      let file = try refusal(of: library)
      #expect(
        file.reason.contains("its mode is 0\(String(mode, radix: 8))") && file.remedy.contains("chmod go-w"))
    }
    unsafe chmod(library, 0o755)
    unsafe chmod(workshop.path, mode)
    if !isOwnGroup {
      let directory = try refusal(of: library)
      #expect(directory.reason.contains("the mode of \(workshop.path) is"), "\(directory)")
    }
    unsafe chmod(workshop.path, 0o755)
  }

  @Test func `a sticky directory is allowed above a trusted directory and not as the library's own`() throws {
    let workshop = try Workshop()
    unsafe mkdir("\(workshop.path)/own", 0o755)
    let inside = try workshop.compile(PluginSource.run("return TIMELINED_OK;"), name: "own/plugin")
    let directly = try workshop.compile(PluginSource.run("return TIMELINED_OK;"))
    unsafe chmod(workshop.path, 0o1777)
    let refusal = try refusal(of: directly)
    #expect(refusal.reason.contains("the mode of \(workshop.path) is 01777"), "\(refusal)")
    guard case .loaded = try HostProcess().load(inside) else { throw TestFailure("refused") }
    unsafe chmod(workshop.path, 0o755)
  }

  private static let nobody: uid_t = 65534

  /// The owners of all steps of the path, and whether the plugin is loaded as root and as `nobody`.
  @Test(
    .enabled(if: isRoot, "only root can give files away"),
    arguments: [
      ("a/b/plugin.so", "the file belongs to user 65534 and must belong to root", "chown root"),
      ("a/b", "/a/b belongs to user 65534", "chown root"),
      ("a", "/a belongs to user 65534", "install the plugin elsewhere"),
      ("link.so", "link.so belongs to user 65534", "chown -h root"),
      ("sideways", "sideways belongs to user 65534", "chown -h root"),
    ])
  func `a file, a directory above it or a link of another user is refused`(
    name: String, reason: String, remedy: String
  ) throws {
    let workshop = try Workshop()
    unsafe mkdir("\(workshop.path)/a", 0o755)
    unsafe mkdir("\(workshop.path)/a/b", 0o755)
    _ = try workshop.compile(PluginSource.run("return TIMELINED_OK;"), name: "a/b/plugin")
    unsafe symlink("sideways/b/../b/./plugin.so", "\(workshop.path)/link.so")
    unsafe symlink("\(workshop.path)/a", "\(workshop.path)/sideways")
    let path = "\(workshop.path)/link.so"
    guard case .loaded = try HostProcess().load(path) else { throw TestFailure("refused") }
    #expect(unsafe lchown("\(workshop.path)/\(name)", Self.nobody, Self.nobody) == 0)
    let refusal = try refusal(of: path)
    #expect(refusal.reason.contains(reason) && refusal.remedy.contains(remedy), "\(refusal)")
    guard case .loaded = try HostProcess().load(path, user: "nobody") else {
      throw TestFailure("it is the user's own")
    }
    // The sticky bit makes no exception.
    guard !name.contains("."), name != "sideways" else { return }
    unsafe chmod("\(workshop.path)/\(name)", 0o1755)
    #expect(try self.refusal(of: path).reason.contains(reason))
  }

  @Test func `a loop of links and a file in place of a directory are refused`() throws {
    let workshop = try Workshop()
    unsafe symlink("\(workshop.path)/two", "\(workshop.path)/one")
    unsafe symlink("one", "\(workshop.path)/two")
    #expect(try refusal(of: "\(workshop.path)/one").reason.contains("too many levels of symbolic links"))
    try workshop.write("", to: "file")
    #expect(try refusal(of: "\(workshop.path)/file/plugin.so").reason.contains("not a directory"))
  }

  @Test func `a link is followed, and its target is checked as well`() throws {
    let workshop = try Workshop()
    unsafe mkdir("\(workshop.path)/open", 0o777)
    unsafe mkdir("\(workshop.path)/shut", 0o755)
    let library = try workshop.compile(PluginSource.run("return TIMELINED_OK;"), name: "open/plugin")
    unsafe chmod("\(workshop.path)/open", 0o777)
    unsafe symlink(library, "\(workshop.path)/shut/link.so")
    #expect(try refusal(of: "\(workshop.path)/shut/link.so").reason.contains("\(workshop.path)/open is 0777"))
    unsafe chmod("\(workshop.path)/open", 0o755)
    unsafe chmod("\(workshop.path)/shut", 0o777)
    #expect(try refusal(of: "\(workshop.path)/shut/link.so").reason.contains("\(workshop.path)/shut is 0777"))
    unsafe chmod("\(workshop.path)/shut", 0o755)
    guard case .loaded = try HostProcess().load("\(workshop.path)/shut/link.so") else {
      throw TestFailure("refused")
    }
  }

  @Test func `a user that does not exist is refused`() throws {
    let workshop = try Workshop()
    let refusal = try refusal(of: try workshop.compile(PluginSource.run("return 0;")), user: "no-such-user")
    #expect(refusal.reason.contains("\"no-such-user\", who does not exist"), "\(refusal)")
  }
}
