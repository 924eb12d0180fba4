import Testing
import TimelineConfiguration
import TimelineCore

/// Sizes and percentages are read exactly, to the byte.
@Suite struct UnitTests {
  private func read(_ line: String) -> Result<Job?, ConfigurationRefusal> {
    let text = "[job.a]\nplugin = 'exec'\nschedule = 'every-minute'\n\(line)\n"
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    return Configuration.read([source], in: .golden).map(\.jobs.first)
  }

  @Test(
    arguments: [
      ("16384K", 16 << 20), ("64M", 64 << 20), ("0064M", 64 << 20), ("2G", 2 << 30), ("128T", 128 << 40),
    ] as [(String, UInt64)])
  func `a size is a whole number of binary units`(text: String, bytes: UInt64) throws {
    #expect(try read("limits = { memory = '\(text)' }").get()?.setup.memoryBytes == bytes)
  }

  @Test(
    arguments: [
      ("256MB", "256M"), ("256 MiB", "256M"), ("256m", "256M"), ("1.5G", "1536M"), ("1_000K", "1000K"),
      ("268435456", "256M"), ("2 gigabytes", nil), ("M", nil), ("-1M", nil), ("", nil), ("1e3M", nil),
      ("64P", nil),
      ("99999999999999999999T", nil), ("٣M", nil),
    ] as [(String, String?)])
  func `an invalid size has the intended one as a hint`(text: String, meant: String?) throws {
    let refusal = #expect(throws: ConfigurationRefusal.self) {
      try read("limits = { memory = '\(text)' }").get()
    }
    let diagnostic = try #require(refusal?.diagnostics.first)
    #expect(refusal?.diagnostics.count == 1)
    #expect(diagnostic.message.hasPrefix("`limits.memory` is not a size"))
    #expect(diagnostic.help == (meant.map { ["did you mean \"\($0)\"?"] } ?? []))
  }

  @Test(arguments: [("0%", 0), ("7%", 7), ("100%", 100)])
  func `a percentage is a whole number`(text: String, percent: Int) throws {
    let job = try read("retry = { attempts = 2, jitter = '\(text)' }").get()
    #expect(job?.policies.retry?.jitterPercent == percent)
  }

  @Test(arguments: ["101%", "-1%", "+1%", "1.5%", "%", "", "10 %", "10"])
  func `an invalid percentage is refused`(text: String) {
    #expect(throws: ConfigurationRefusal.self) {
      try read("retry = { attempts = 2, jitter = '\(text)' }").get()
    }
  }

  @Test(arguments: [("0000", 0), ("077", 0o077), ("0022", 0o022)] as [(String, UInt16)])
  func `a mask is octal`(text: String, mask: UInt16) throws {
    #expect(try read("umask = '\(text)'").get()?.setup.fileModeMask == mask)
  }
}
