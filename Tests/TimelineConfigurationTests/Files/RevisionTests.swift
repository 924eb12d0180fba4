import Testing
import TimelineConfiguration
import TimelineCore

/// Changes that make a job another job, and changes that do not.
@Suite struct RevisionTests {
  private func job(_ text: String) throws -> Job {
    let source = ConfigurationSource(
      path: "a.toml", bytes: Array("[job.a]\nschedule = 'every-minute'\n\(text)".utf8))
    return try #require(try Configuration.read([source], in: .golden).get().jobs.first)
  }

  /// The numbers are FNV-1a as another program computes it, and pinned: a daemon that is upgraded must not take
  /// every job for a changed one.
  @Test func `the digest is the same on every machine and in every version`() throws {
    #expect(try job("plugin = 'exec'").revision == 0x74E4_CBBF_03C1_9DFF)
    #expect(try job("plugin = 'exec'\nwith = { a = 1 }").revision == 0xDC4B_4239_AB58_0CA3)
    // What is written out and is the default anyway is no change.
    #expect(
      try job(
        "plugin = 'exec'\nno-new-privileges = true\nisolation = 'host'\nleftovers = 'kill'\nsandbox = 'default'"
      ).revision
        == 0x74E4_CBBF_03C1_9DFF)
  }

  @Test func `order, spelling and description change nothing`() throws {
    let first = try job("plugin = 'exec'\nwith = { b = 1, a = 'x' }")
    let second = try job("with.a = \"x\"\nwith.b = 0x1\ndescription = 'new'\nplugin = \"exec\" # comment")
    #expect(first.revision == second.revision)
    #expect(first.definition == second.definition)
  }

  @Test(arguments: [
    "plugin = 'log'", "plugin = 'exec'\nwith = { a = 2 }", "plugin = 'exec'\nuser = 'nobody'",
    "plugin = 'exec'\nwith = { a = '1' }", "plugin = 'exec'\ntimeout = '10s'",
    "plugin = 'exec'\npriority = 1", "plugin = 'exec'\nconcurrency = 2",
    "plugin = 'exec'\nwaiting-max = 2", "plugin = 'exec'\nwaiting-timeout = '2s'",
    "plugin = 'exec'\nlimits = { memory = '256M' }", "plugin = 'exec'\nlimits = { nice = 1 }",
    "plugin = 'exec'\nrun-limits = { memory = '256M' }", "plugin = 'exec'\nrun-limits = { tasks = 9 }",
    "plugin = 'exec'\nlimits = { io = 'idle' }", "plugin = 'exec'\nno-new-privileges = false",
    "plugin = 'exec'\numask = '0077'", "plugin = 'exec'\nworking-directory = '/tmp'",
    "plugin = 'exec'\nenvironment = { A = '' }", "plugin = 'exec'\ncredentials = { a = '/a' }",
    "plugin = 'exec'\ngroup = 'mail'", "plugin = 'exec'\nenvironment-file = '/a'",
    "plugin = 'exec'\nenvironment-file = '-/a'",
    "plugin = 'exec'\nsha256 = '\(String(repeating: "0", count: 64))'",
    "plugin = 'exec'\nsandbox = 'off'", "plugin = 'exec'\nsandbox = { writable = [] }",
    "plugin = 'exec'\nsandbox = { writable = ['/a'] }", "plugin = 'exec'\nsandbox = { unsupported = 'run' }",
    "plugin = 'exec'\nisolation = 'in-process'", "plugin = 'exec'\nleftovers = 'keep'",
  ])
  func `a change that a run can see makes another job`(_ text: String) throws {
    #expect(try job(text).definition != job("plugin = 'exec'").definition)
  }

  @Test func `a value from the defaults of the file is the value itself`() throws {
    let text =
      "[defaults]\nplugin = 'exec'\numask = '0077'\nenvironment = { A = '1', B = '1' }\n"
      + "[job.a]\nschedule = 'every-minute'\nenvironment = { B = '2' }"
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    let inheriting = try #require(try Configuration.read([source], in: .golden).get().jobs.first)
    let plain = try job("plugin = 'exec'\numask = '0077'\nenvironment = { A = '1', B = '2' }")
    #expect(inheriting.definition == plain.definition)
  }

  @Test func `fields do not run together`() throws {
    let left = try job("plugin = '/exec'\nuser = 'a'")
    let right = try job("plugin = '/exe'\nuser = 'ca'")
    #expect(left.revision != right.revision)
  }
}
