import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct FileTests {
  @Test(arguments: [
    ("/etc/timelined.toml", "/etc", "/etc/jobs.d"), ("/timelined.toml", "/", "/jobs.d"),
    ("timelined.toml", ".", "./jobs.d"), ("./a/timelined.toml", "./a", "./a/jobs.d"),
  ])
  func `a file's directory, and a file beside it`(path: String, directory: String, sibling: String) {
    #expect(path.parentDirectory == directory)
    #expect(path.parentDirectory.appending(fileName: "jobs.d") == sibling)
  }

  @Test func `contents come with the facts of the same file`() throws {
    let directory = try TestDirectory()
    let path = try directory.file("a.toml", "hello")
    #expect(unsafe chmod(path, 0o664) == 0)
    let contents = try FileContents.read(path, limit: 5)
    #expect(contents.bytes == Array("hello".utf8))
    #expect(contents.facts.kind == .regular && contents.facts.size == 5)
    #expect(contents.facts.owner == geteuid() && contents.facts.mode == 0o664)
    #expect(contents.facts.isWritableByGroupOrOthers)
    #expect(SystemTime.now() - contents.facts.modified < .hours(1))
    #expect(contents.facts.isSameFile(as: try FileFacts(at: path)))
  }

  @Test func `a file over the limit is refused`() throws {
    let directory = try TestDirectory()
    let path = try directory.file("big", "123456")
    let error = #expect(throws: SystemError.self) { try FileContents.read(path, limit: 5) }
    #expect(error?.name == "EFBIG")
    #expect(error?.description.contains("at most 5 bytes") == true)
  }

  @Test(arguments: ["directory", "fifo", "missing"])
  func `a file that is not a regular one is refused without waiting`(kind: String) throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/x"
    if kind == "directory" { #expect(unsafe mkdir(path, 0o700) == 0) }
    if kind == "fifo" { #expect(unsafe mkfifo(path, 0o600) == 0) }
    let error = #expect(throws: SystemError.self) { try FileContents.read(path, limit: 5) }
    #expect(error?.name == ["directory": "EISDIR", "fifo": "EINVAL", "missing": "ENOENT"][kind])
    #expect(error?.subject == path)
  }

  @Test func `a link shows its own facts only when asked for them`() throws {
    let directory = try TestDirectory()
    let path = try directory.file("file")
    let link = "\(directory.path)/link"
    #expect(unsafe symlink(path, link) == 0)
    #expect(try FileFacts(at: link).kind == .regular)
    #expect(try FileFacts(ofLinkAt: link).kind == .link)
  }

  @Test(arguments: [
    ("/TEST/link/../x", "/TEST/far/x"), ("/TEST/link/x/.", "/TEST/link/x"),
    ("/TEST/./far/..//link", "/TEST/link"),
    ("/TEST/none/../x/../y", "/TEST/y"), ("/../..", "/"), ("/", "/"), ("//a///b/", "/a/b"),
  ])
  func `a normalized path leads where the kernel goes, without two dots`(written: String, plain: String)
    throws
  {
    let directory = try TestDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.path + "/far/target", withIntermediateDirectories: true)
    #expect(unsafe symlink(directory.path + "/far/target", directory.path + "/link") == 0)
    let place = try #require(CurrentProcess.realPath(directory.path))
    #expect(
      CurrentProcess.normalizedPath(written.replacing("/TEST", with: place))
        == plain.replacing("/TEST", with: place))
  }

  @Test func `a directory lists its names sorted by bytes`() throws {
    let directory = try TestDirectory()
    for name in ["b", "a", "ä", "B", "10", "9", ".hidden"] { _ = try directory.file(name) }
    #expect(try DirectoryListing.names(in: directory.path) == [".hidden", "10", "9", "B", "a", "b", "ä"])
    let error = #expect(throws: SystemError.self) { try DirectoryListing.names(in: directory.path + "/none") }
    #expect(error?.isMissing == true)
  }
}

@Suite struct ZoneDirectoryTests {
  @Test(arguments: ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Etc/GMT-14"])
  func `a zone is found by its name`(name: String) throws {
    #expect(try ZoneDirectory().zone(named: name).starts(with: Array("TZif".utf8)))
  }

  @Test(arguments: [
    "", "/", "/etc/passwd", "../../etc/passwd", "Europe/../../../etc/passwd", "Europe//Berlin", "Europe/",
    "a.b", "Eu rope",
    "Europe/Berlin\0", "Ünited", String(repeating: "a", count: 256),
  ])
  func `a name that could lead elsewhere is refused before any file is touched`(name: String) {
    #expect(!ZoneDirectory.isValid(name))
    let error = #expect(throws: SystemError.self) { try ZoneDirectory().zone(named: name) }
    #expect(error?.name == "EINVAL")
  }

  @Test(arguments: ["Europe/Atlantis", "Europe", "UTC/x"])
  func `a zone that does not exist is missing`(name: String) {
    let error = #expect(throws: SystemError.self) { try ZoneDirectory().zone(named: name) }
    #expect(error?.name == "ENOENT")
    #expect(error?.description.contains("tzdata") == true)
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "Asia/Tokyo"), (":Europe/Berlin", "Asia/Tokyo"), ("", "Asia/Tokyo"),
      ("CET-1CEST", "Asia/Tokyo"),
      ("/usr/share/zoneinfo/Europe/Berlin", "Asia/Tokyo"), (nil, "Asia/Tokyo"), (nil, nil),
    ] as [(String?, String?)])
  func `the system's zone is TZ, then the link, then UTC`(variable: String?, link: String?) throws {
    let directory = try TestDirectory()
    let localtime = "\(directory.path)/localtime"
    if let link { #expect(unsafe symlink("../usr/share/zoneinfo/\(link)", localtime) == 0) }
    let name = ZoneDirectory().systemZoneName(
      environment: variable.map { ["TZ": $0] } ?? [:], localtime: localtime)
    let expected = variable.map {
      $0.isEmpty ? "UTC" : $0.hasSuffix("Berlin") ? "Europe/Berlin" : "Asia/Tokyo"
    }
    #expect(name == expected ?? link ?? "UTC")
  }
}

@Suite struct `A machine whose zone cannot be read` {
  @Test(
    arguments: [
      (nil, "Europe/Berlin", "Europe/Berlin", false), (nil, "Europe/Gone", "Europe/Gone", false),
      ("Nonsense/Zone", "Europe/Berlin", "Europe/Berlin", true),
      ("Nonsense/Zone", "Europe/Gone", "Europe/Gone", true),
      ("Asia/Tokyo", "Europe/Gone", "Asia/Tokyo", false), ("UTC", "Europe/Gone", "UTC", false),
      ("CET-1CEST", "Europe/Berlin", "Europe/Berlin", true), ("", "Europe/Berlin", "UTC", false),
      (":/etc/localtime", "Europe/Berlin", "Europe/Berlin", false), (nil, nil, "UTC", false),
    ] as [(String?, String?, String, Bool)])
  func `keeps the name of its zone, and detects a TZ without a zone`(
    variable: String?, link: String?, name: String, isIgnored: Bool
  ) throws {
    let directory = try TestDirectory()
    let localtime = "\(directory.path)/localtime"
    if let link { #expect(unsafe symlink("/usr/share/zoneinfo/\(link)", localtime) == 0) }
    let zones = ZoneDirectory()
    let environment = variable.map { ["TZ": $0] } ?? [:]
    #expect(zones.namedSystemZone(environment: environment, localtime: localtime) == name)
    #expect(variable.map(zones.ignores) ?? false == isIgnored)
  }
}

@Suite struct UserTests {
  @Test func `users and groups are found by name and number`() throws {
    let root = try UserRecord(named: "root")
    #expect(root.user == 0 && root.group == 0 && root.home == "/root")
    #expect(try UserRecord(numbered: 0) == root)
    #expect(try UserRecord.group(named: "root") == 0)
  }

  @Test func `an unknown user or group is named in the error`() {
    let error = #expect(throws: SystemError.self) { try UserRecord(named: "nobody-of-that-name") }
    #expect(error?.name == "ENOENT" && error?.subject == "user 'nobody-of-that-name'")
    #expect(throws: SystemError.self) { try UserRecord.group(named: "nobody-of-that-name") }
  }

  @Test func `the environment is that of this process`() {
    #expect(CurrentProcess.environment == ProcessInfo.processInfo.environment)
    #expect(CurrentProcess.pid == getpid())
  }
}

@Suite struct SystemErrorTests {
  @Test(arguments: [
    (
      SystemError(code: EACCES, call: "open", subject: "/x"),
      "/x: permission denied: run as a user that may do this, or change the permissions"
    ),
    (
      SystemError(code: EMFILE, call: "accept4"),
      "accept4: too many open files: raise the limit of open files (LimitNOFILE= of the service, or ulimit -n)"
    ),
    (
      SystemError(code: EEXIST, call: "bind", subject: "/s", remedy: "Move it."),
      "/s: file exists: move it"
    ),
    (SystemError(code: 9999, call: "odd"), "odd: unknown error 9999"),
  ])
  func `an error is a subject, a reason and a remedy`(error: SystemError, text: String) {
    #expect("\(error)" == text)
  }
}
