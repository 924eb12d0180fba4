import Testing
import TimelineConfiguration
import TimelineCore
import TimelineHostPool

/// Schemas of parameters, as `timelinectl check` reads them.
@Suite struct `The schema of a plugin` {
  @Test(
    arguments: [
      (#"command = ["ls", "-l"]"#, nil),
      (#"command = "ls -l", shell = true"#, nil),
      (#"command = ["ls"], shell = false"#, nil),
      (#"command = ["ls"], retry-statuses = [1], permanent-statuses = [2]"#, nil),
      (#"command = ["ls"], retry-statuses = [0], success-statuses = [1]"#, nil),
      (#"command = "ls -l""#, "or with shell = true all are texts"),
      (#"command = "ls -l", shell = false"#, "or with shell = true all are texts"),
      (#"command = ["ls"], shell = true"#, "or with shell = true all are texts"),
      (#"command = ["ls"], retry-statuses = [0, 1]"#, "The status 0 is a success unless"),
      (#"command = ["ls"], permanent-statuses = [0]"#, "The status 0 is a success unless"),
      (#"command = 7"#, "matches none of the 2 allowed forms"),
      (#"command = ["ls", 7]"#, "`with.command[1]` is an integer"),
      (#"shell = true"#, "A job has either command or commands"),
      (#"command = ["ls"], commands = [["ls"]]"#, "A job has either command or commands"),
      (#"commands = [["ls"], { command = ["ls", "-l"], may-fail = true }]"#, nil),
      (#"commands = ["ls", { command = "ls -l" }], condition = "test -e /x", shell = true"#, nil),
      (#"command = ["ls"], condition = ["test", "-e", "/x"]"#, nil),
      (#"commands = []"#, "`with.commands` has too few elements"),
      (#"commands = [["ls"], ["ls", 7]]"#, "`with.commands[1][1]` is an integer"),
      (#"commands = [["ls"], { may-fail = true }]"#, "the parameter `command` is missing"),
      (#"commands = [["ls"], { command = ["ls"], may-fial = true }]"#, "did you mean `may-fail`?"),
      (#"commands = [["ls"], "ls -l"]"#, "or with shell = true all are texts"),
      (#"commands = [{ command = "ls -l" }]"#, "or with shell = true all are texts"),
      (#"commands = [["ls"]], shell = true"#, "or with shell = true all are texts"),
      (#"commands = ["ls", { command = ["ls"] }], shell = true"#, "or with shell = true all are texts"),
      (#"command = ["ls"], condition = "test -e /x""#, "or with shell = true all are texts"),
      (#"command = "ls", condition = ["test"], shell = true"#, "or with shell = true all are texts"),
    ] as [(String, String?)])
  func `parameters that exec refuses cause one finding`(parameters: String, expected: String?) throws {
    try Self.expect(expected, of: "exec", parameters)
  }

  @Test(
    arguments: [
      (#"url = "http://a", headers = { Authorization = "Basic a" }"#, nil),
      (#"url = "http://a", credential = "key", headers = { X-Own = "a" }"#, nil),
      (#"url = "http://a", credential-headers = { Authorization = "key" }"#, nil),
      (
        #"url = "http://a", credential = "key", headers = { authorization = "a" }"#,
        "The header Authorization is made of credential"
      ),
      (
        #"url = "http://a", credential = "key", credential-headers = { Authorization = "key" }"#,
        "`with.credential-headers.Authorization` is no key that may be there"
      ),
      (#"url = "https://e.org:65535/{nominal}?a={{&b={job}""#, nil), (#"url = "http://[::1]:1#a""#, nil),
      (#"url = "https://e.org:99999/""#, "a port is 1 to 65535"),
      (#"url = "https://e.org:0/""#, "a port is 1 to 65535"), (#"url = "e.org/x""#, "begins with http://"),
      (#"url = "https://e.org/{nomnal}""#, "the placeholders are {job} {run-key} {nominal} "),
      (#"url = "https://e.org/", headers = { A = "{nomnal}" }"#, "the placeholders are {job} "),
      (#"url = "https://e.org/", body = "{nomnal}""#, "the placeholders are {job} "),
      (#"url = "https://e.org/{{a}/{job}/{nomnal}""#, "did you mean `{nominal}`?"),
      (#"url = "https://e.org/", body = "{upstream_job}""#, "did you mean `{upstream-job}`?"),
      (
        #"url = "https://e.org/", body = "{{ {zzzzzzz}""#,
        "`{zzzzzzz}` is no placeholder: write `{{` for a brace"
      ),
      (#"url = "https://e.org/{job}/{nope""#, "`{nope` is not closed: write `{{` for a brace"),
      (
        #"url = "https://e.org/{jbo}/{nomnal}/{jbo}""#,
        "`{jbo}` is no placeholder: did you mean `{job}`? `{nomnal}` is no placeholder: did you mean `{nominal}`?"
      ),
      (#"url = "http://a", credential-headers = { "a b" = "key" }"#, "is no key that may be there"),
      (#"url = "http://a", credential = 1"#, "`with.credential` is an integer"),
    ] as [(String, String?)])
  func `parameters that http refuses cause one finding`(parameters: String, expected: String?) throws {
    try Self.expect(expected, of: "http", parameters)
  }

  @Test func `each wrong placeholder of log is named, and the list is printed once`() throws {
    let wrong = #"message = "at {nomnal} and {foo} {} {job""#
    for part in [
      "`{nomnal}` is no placeholder: did you mean `{nominal}`?", "`{foo}` is no placeholder: ",
      "`{}` is no placeholder: write `{{` for a brace", "`{job` is not closed: write `{{` for a brace",
    ] { try Self.expect(part, of: "log", wrong, without: "stand for what the run is told") }
  }

  private static func expect(
    _ expected: String?, of plugin: String, _ parameters: String, without other: String = "expected a value"
  ) throws {
    let stage = try Stage(Fixtures.bundled)
    let kind = HostSpec(pluginPath: try stage.hosts.configuration.search.path(of: plugin))
    var answer: Result<PluginIdentity, HostFailure>?
    stage.hosts.describe(kind) { answer = $0 }
    try stage.wait(for: "the answer") { answer != nil }
    let schema = try #require(try answer?.get()).schema
    let text = "[job.a]\nplugin = \"\(plugin)\"\nschedule = \"on-demand\"\nwith = { \(parameters) }\n"
    let context = ConfigurationContext(
      zoneNames: [], machineZone: .utc, pluginNames: [plugin], now: .epoch
    ) { _ in nil }
    let configuration = try Configuration.read(
      [ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))], in: context
    ).get()
    let found = configuration.check(parametersOf: configuration.jobs.map(\.name), against: schema)
    #expect(found.count == (expected == nil ? 0 : 1), "\(found)")
    let words = found.map { ([$0.message, $0.label ?? ""] + $0.help).joined(separator: " ") }.joined()
    #expect(words.contains(expected ?? "") && !words.contains(other), "\(words)")
  }
}
