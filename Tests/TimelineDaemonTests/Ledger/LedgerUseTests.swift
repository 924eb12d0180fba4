import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A ledger that others use too` {
  /// Reads from the database named first, makes the file named second, and keeps the database open for so many milliseconds.
  private static let reader = """
    #include <sqlite3.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    int main(int count, char **words) {
      sqlite3 *database;
      if (count != 4 || sqlite3_open(words[1], &database) != SQLITE_OK) return 1;
      if (sqlite3_exec(database, "SELECT count(*) FROM job", NULL, NULL, NULL) != SQLITE_OK) return 2;
      fclose(fopen(words[2], "w"));
      usleep(1000 * (unsigned)atoi(words[3]));
      return sqlite3_close(database);
    }
    """

  /// A workshop with a ledger, and a program that reads it for so many milliseconds.
  private static func scene(_ milliseconds: Int) throws -> (Workshop, StartedProgram, EventLoop) {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)")
    let first = try DaemonProcess(workshop)
    try first.begin()
    #expect(try first.stop() == .exited(0))
    let program = workshop.path + "/reader"
    try shell("cc", "-o", program, try workshop.write(reader, to: "reader.c"), "-lsqlite3")
    let loop = try EventLoop()
    let marker = workshop.path + "/reading"
    let reading = try StartedProgram(
      [program, workshop.path + "/state/ledger.sqlite", marker, "\(milliseconds)"], on: loop)
    let deadline = SystemTime.monotonic() + Patience.usual
    while !FileManager.default.fileExists(atPath: marker), SystemTime.monotonic() < deadline {
      loop.runOnce(timeout: .milliseconds(5))
    }
    try #require(FileManager.default.fileExists(atPath: marker))
    return (workshop, reading, loop)
  }

  @Test func `the daemon waits for a reader that closes the ledger in time`() throws {
    let (workshop, reading, loop) = try Self.scene(1_500)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.stop() == .exited(0))
    withExtendedLifetime((reading, loop)) {}
  }

  @Test func `a reader that keeps the ledger open is named in the error`() throws {
    let (workshop, reading, loop) = try Self.scene(60_000)
    let daemon = try DaemonProcess(workshop)
    #expect(try daemon.finish() == .exited(70))
    #expect(
      daemon.errors.contains(
        "process \(reading.child.pid) (reader) uses this ledger, and has not closed it for 5s"),
      "\(daemon.errors)")
    withExtendedLifetime((reading, loop)) {}
  }

  @Test func `backup prints the path of a whole copy that only its owner can read`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    #expect(try daemon.control("trigger", "steady", "--wait").end == .exited(0))
    for _ in 1...2 {
      let result = try daemon.control("backup")
      let path = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(result.end == .exited(0) && path == workshop.path + "/state/ledger.backup.sqlite")
      #expect(try FileFacts(at: path).mode == 0o600)
      let names = try FileManager.default.contentsOfDirectory(atPath: workshop.path + "/state")
      #expect(names.filter { $0.hasPrefix("ledger.backup") } == ["ledger.backup.sqlite"])
    }
    try daemon.line(containing: "ledger copied to ", "ledger.backup.sqlite by ")
    #expect(try daemon.stop() == .exited(0))
    withExtendedLifetime(gate) {}
  }
}
