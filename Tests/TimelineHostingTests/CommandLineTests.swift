import Foundation
import Testing
import TimelineTestSupport

@testable import TimelineHosting

/// The command line of timeline-host.
@Suite struct CommandLineTests {
  private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProgram.host)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text, complaints)
  }

  @Test(
    arguments: [
      ([], .serve), (["--help"], .help), (["--describe", "a.so"], .describe(file: "a.so", user: nil)),
      (["--describe", "--user", "bob", "a.so"], .describe(file: "a.so", user: "bob")),
      (["--describe"], .wrong("--describe needs a file")),
      (["--describe", "a", "b"], .wrong("\"b\" is one word too many, or lacks its value")),
      (["--describe", "a", "--with", "1"], .wrong("\"--with\" is one word too many, or lacks its value")),
      (["--what"], .wrong("unknown option \"--what\"")),
    ] as [([String], Command)])
  func `the command line is parsed`(arguments: [String], command: Command) {
    #expect(Command(arguments) == command)
  }

  @Test func `describe prints one JSON object`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.entry(#"table.parameters_schema = "{\"b\":1,\"a\":2}"; return &table;"#))
    let (status, output, errors) = try run("--describe", library)
    #expect(status == 0 && errors.isEmpty)
    #expect(
      output == """
        {"abi":{"newest":1,"oldest":1},"file":"\(library)","name":"good","parametersSchema":{"a":2,"b":1},\
        "summary":"for a test","version":"0"}

        """)
    #expect(
      try run("--describe", String(library.dropFirst())).status == 0, "relative to the working directory")
  }

  @Test(
    arguments: [
      (#"table.parameters_schema = "[]"; return &table;"#, "not an object"),
      (#"table.parameters_schema = "{"; return &table;"#, "parameters_schema to be a JSON object"),
      ("return NULL;", "returned NULL"),
    ])
  func `describe prints a refusal on standard error`(body: String, reason: String) throws {
    let workshop = try Workshop()
    let library = try workshop.compile(PluginSource.entry(body))
    let (status, output, errors) = try run("--describe", library)
    #expect(status == 1 && output.isEmpty && errors.contains(library) && errors.contains(reason), "\(errors)")
  }

  @Test func `output and exit status of a loaded library do not count as its description`()
    throws
  {
    let workshop = try Workshop()
    let noisy = try workshop.compile(
      PluginSource.run(
        "return TIMELINED_OK;",
        before: #"__attribute__((constructor)) static void f(void) { printf("noise"); }"#))
    let (status, output, errors) = try run("--describe", noisy)
    #expect(status == 0 && output.hasPrefix("{\"abi\"") && errors == "noise")
    let leaver = try workshop.compile(PluginSource.entry("exit(0);"), name: "leaver")
    let left = try run("--describe", leaver)
    #expect(left.status == 1 && left.output.isEmpty && left.errors.contains("called exit(0)"))
  }

  @Test func `help, wrong usage and a manual start print instructions`() throws {
    let help = try run("--help")
    #expect(help.status == 0 && help.output.contains("--describe FILE.so") && help.errors.isEmpty)
    let wrong = try run("--what")
    #expect(wrong.status == 64 && wrong.errors.contains("--help"))
    let bare = try run()
    #expect(bare.status == 64 && bare.errors.contains("descriptor 3 is not a socket"))
  }

  /// A symbol of the host would replace a plugin's own symbol of the same name (ELF interposition).
  @Test func `the host exports nothing`() throws {
    let symbols = try shell("nm", "-D", "--defined-only", "--format=posix", BuiltProgram.host)
      .split(separator: "\n").compactMap { $0.split(separator: " ").first }
    // The linker's own symbols exist with a dynamic Swift runtime, as in a debug build.
    #expect(Set(symbols).subtracting(["__bss_start", "_edata", "_end"]).isEmpty)
  }
}
