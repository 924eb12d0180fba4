import Foundation
import Glibc
import TimelineCore

/// Reason why a test cannot go on.
package struct TestFailure: Error, CustomStringConvertible {
  /// A sentence.
  package let description: String

  /// Makes a failure with a description.
  package init(_ description: String) { self.description = description }
}

/// Runs a program found in PATH to its end and returns its output; throws the output if the program fails.
@discardableResult
package func shell(_ words: String...) throws -> String { try shell(words) }

/// Runs a program found in PATH to its end and returns its output; throws the output if the program fails.
@discardableResult
package func shell(_ words: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw TestFailure("\(words.joined(separator: " ")): \(output)")
  }
  return output
}

/// Runs a program with `input` on its standard input; returns its standard output, `nil` if it cannot be started or fails.
///
/// `input` must fit into a pipe unless the program reads all of it before it writes.
package func output(of path: String, _ arguments: [String], input: String) -> String? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  let (source, output) = (Pipe(), Pipe())
  process.standardInput = source
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  source.fileHandleForWriting.write(Data(input.utf8))
  source.fileHandleForWriting.closeFile()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return process.terminationStatus == 0 ? text : nil
}

/// Waits until a descriptor is readable or closed.
package func waitForReading(_ descriptor: CInt) throws {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  let milliseconds = CInt(clamping: Patience.usual.nanoseconds / 1_000_000)
  guard unsafe poll(&entry, 1, milliseconds) == 1 else {
    throw TestFailure("nothing came in \(milliseconds) ms")
  }
}
