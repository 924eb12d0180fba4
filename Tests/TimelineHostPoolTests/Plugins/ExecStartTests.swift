import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineTestSupport

/// Commands that cannot start: the fact and the remedy.
@Suite struct `Commands that do not start` {
  /// A command in a directory of its own, and parts of its failure's message.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// A shell script that makes the file `it`, or something else in its place.
    var made = "true"
    /// The arguments of the command; `DIR` is the directory.
    var command = ["DIR/it"]
    var says: [String]
    var isWorthRetrying = false
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "a directory", made: "mkdir it",
      says: ["it was not started: it is a directory: name the program in it"]),
    Case(name: "a socket or pipe", made: "mkfifo it", says: ["it is not a regular file"]),
    Case(
      name: "not executable", made: "echo true > it",
      says: ["it is not executable: make it executable: chmod +x"]),
    Case(
      name: "CR after the interpreter", made: "printf '#!/bin/sh\\r\\nexit 0\\r\\n' > it; chmod +x it",
      says: ["its first line ends with a carriage return (CR)", "convert its line ends"]),
    Case(
      name: "CR after a word for env", made: "printf '#!/usr/bin/env sh\\r\\nexit 0\\r\\n' > it; chmod +x it",
      says: ["exited with status 127: ", "its first line ends with a carriage return (CR)"],
      isWorthRetrying: true),
    Case(
      name: "no interpreter", made: "printf '#! /no/such/interpreter -x\\n' > it; chmod +x it",
      says: ["the interpreter in its first line, /no/such/interpreter, does not exist: install it"]),
    Case(
      name: "an interpreter that is not executable", made: "printf '#!/etc/passwd\\n' > it; chmod +x it",
      says: ["the interpreter in its first line, /etc/passwd, cannot be executed"]),
    Case(
      name: "no #! line", made: "echo 'exit 0' > it; chmod +x it",
      says: ["it has no #! line and is no binary"]),
    Case(name: "empty", made: ": > it; chmod +x it", says: ["it is an empty file"]),
    Case(
      name: "a dangling link", made: "ln -s /no/such/target it",
      says: ["it is a symbolic link to /no/such/target, which does not exist: repair the link"]),
    Case(name: "a link in a circle", made: "ln -s it it", says: ["too many symbolic links"]),
    Case(
      name: "below a file", made: ": > it", command: ["DIR/it/er"],
      says: ["a part of its path is not a directory"]),
    Case(
      name: "words in one", command: ["/usr/bin/id -u"],
      says: [
        "no such file: the first text of `command` has a blank in it: give each word as a text of its own"
      ]),
    Case(
      name: "words in one, in PATH", command: ["id -u"],
      says: ["id -u was not started: the first text of `command` has a blank in it"]),
    Case(
      name: "a relative path", command: ["bin/it"],
      says: ["bin/it was not started: no such file below the working directory /: give an absolute path"]),
  ])
  func `the failure of a start names the fact and the remedy`(example: Case) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try shell("/bin/sh", "-c", "cd \(directory); \(example.made)")
    let words = example.command.map { $0.replacing("DIR", with: directory) }
    let parameters = try JSONSerialization.data(withJSONObject: ["command": words])
    let end = try Stage(Fixtures.bundled).run("exec", parameters: String(decoding: parameters, as: UTF8.self))
    #expect(end.outcome.status == .failed && end.outcome.isWorthRetrying == example.isWorthRetrying)
    for part in example.says { #expect(end.outcome.message.contains(part), "\(end.outcome.message)") }
  }

  @Test func `a program that is open for writing is worth a retry`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.copyItem(atPath: "/bin/true", toPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try #require(FileHandle(forWritingAtPath: path))
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("exec", parameters: "{\"command\": [\"\(path)\"]}")
    #expect(end.outcome.message.contains("it is open for writing: write it under another name"))
    #expect(end.outcome.isWorthRetrying)
    withExtendedLifetime(writer) {}
  }

  @Test
  func
    `A directory called like the program is not taken for it, and a file that cannot be executed is named`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try shell(
      "/bin/sh", "-c", "mkdir -p \(directory)/a/here \(directory)/b; echo true > \(directory)/b/there")
    let stage = try Stage(Fixtures.bundled) { $0.environment["PATH"] = "\(directory)/a:\(directory)/b" }
    let here = try stage.run("exec", parameters: #"{"command": ["here"]}"#)
    #expect(here.outcome.message.contains("here was not found in PATH"), "\(here.outcome.message)")
    let there = try stage.run("exec", parameters: #"{"command": ["there"]}"#)
    #expect(there.outcome.message.contains("\(directory)/b/there was not started: it is not executable"))
  }

  /// Simulates a library in the host that waits for any child.
  @Test func `an exit status that another library has reaped fails the run with the reason`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let source = """
      #include <errno.h>
      #include <sys/wait.h>
      int waitid(idtype_t type, id_t id, siginfo_t *information, int options) {
        (void)type; (void)id; (void)information; (void)options;
        errno = ECHILD;
        return -1;
      }
      """
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try source.write(toFile: "\(directory)/taken.c", atomically: true, encoding: .utf8)
    try shell("cc", "-shared", "-fPIC", "-o", "\(directory)/taken.so", "\(directory)/taken.c")
    let stage = try Stage(Fixtures.bundled) { $0.environment["LD_PRELOAD"] = "\(directory)/taken.so" }
    let end = try stage.run("exec", parameters: #"{"command": ["echo", "done"]}"#)
    #expect(end.outcome.status == .failed && !end.outcome.isWorthRetrying)
    #expect(
      end.outcome.message.hasPrefix("echo: its exit status cannot be known: no child processes: "),
      "\(end.outcome.message)")
    #expect(end.outcome.message.contains("last line of output: \"done\""), "\(end.outcome.message)")
  }

  /// Simulates a kernel without room for further open files.
  @Test func `a command whose end cannot be awaited is killed, and is not retried`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <stdarg.h>
      #include <sys/syscall.h>
      long syscall(long number, ...) {
        if (number == SYS_pidfd_open) { errno = ENFILE; return -1; }
        long words[6];
        va_list arguments;
        va_start(arguments, number);
        for (int index = 0; index < 6; index++) words[index] = va_arg(arguments, long);
        va_end(arguments);
        long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
        return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
      }
      """
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try source.write(toFile: "\(directory)/full.c", atomically: true, encoding: .utf8)
    try shell("cc", "-shared", "-fPIC", "-o", "\(directory)/full.so", "\(directory)/full.c")
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.bundled) {
      $0.environment["LD_PRELOAD"] = "\(directory)/full.so"
      $0.environment[ProcessMark.name] = mark.text
    }
    let end = try stage.run("exec", parameters: #"{"command": ["sleep", "3600"]}"#) {
      $0.kind.setup.leftovers = .keep
    }
    #expect(end.outcome.status == .failed && !end.outcome.isWorthRetrying)
    let words = "sleep was killed: its end could not be awaited: too many open files in system: "
    #expect(end.outcome.message.hasPrefix(words), "\(end.outcome.message)")
    #expect(mark.processes() == stage.hosts.hostProcesses)
  }

  @Test func `each run starts in the current target of a working directory that is a link`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try shell(
      "/bin/sh", "-c", "mkdir -p \(directory)/1 \(directory)/2; ln -s \(directory)/1 \(directory)/current")
    let stage = try Stage(Fixtures.bundled)
    let parameters = "{\"command\": [\"pwd\"], \"working-directory\": \"\(directory)/current\"}"
    #expect(try stage.run("exec", parameters: parameters).result == "\(directory)/1")
    try shell("ln", "-sfn", "\(directory)/2", "\(directory)/current")
    #expect(try stage.run("exec", parameters: parameters).result == "\(directory)/2")
  }
}
