import Testing
import TimelineConfiguration

/// The parameters of a job as the text that its plugin is opened with.
@Suite struct CanonicalJSONTests {
  @Test(arguments: [
    ("1", "1"), ("1.0", "1.0"), ("1e3", "1000.0"), ("-0", "0"), ("-0.0", "-0.0"), ("0x10", "16"),
    ("1_000", "1000"),
    ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
    ("9007199254740993", "9007199254740993"), ("1e300", "1e+300"), ("0.1", "0.1"),
    ("100000000000000000000.0", "1e+20"),
  ])
  func `an integer stays an integer, and a float a number with a fraction or an exponent`(
    toml: String, json: String
  ) throws {
    let text = "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\nwith = { v = [\(toml)] }\n"
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    let configuration = try Configuration.read([source], in: .golden).get()
    #expect(configuration.jobs.map(\.parameters) == ["{\"v\":[\(json)]}"])
  }
}
