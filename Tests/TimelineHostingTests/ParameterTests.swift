import Foundation
import Testing
import TimelineJSON
import TimelineTestSupport
import TimelineWire

@testable import TimelineHosting

/// A job's parameters as a plugin reads them.
@Suite struct ParameterTests {
  /// The examples of RFC 6901, section 5, and its other rules.
  @Test(
    arguments: [
      ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
      ("/e^f", "3"),
      ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("/foo/2", nil),
      ("/foo/00", nil),
      ("/foo/-", nil), ("/foo/-1", nil), ("/foo/99999999999999999999", nil), ("foo", nil), ("/m~n", nil),
      ("/m~", nil),
      ("/m~2n", nil), ("/foo/0/x", nil), ("/none", nil),
    ] as [(String, String?)])
  func `a pointer is resolved according to RFC 6901`(pointer: String, json: String?) throws {
    let root = try JSONValue(
      parsing: #"""
        {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}
        """#)
    #expect(root.value(at: pointer)?.description == json)
  }

  @Test(
    arguments: [
      "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993",
      "0.1",
      "1.5e-07", "1e+300", #""""#, #""a\"b\\c\u0001\n\t\r/é😀""#, "[]", "{}", "[1,[2,[3]],{}]",
      #"{"B":1,"a":{"x":null},"é":[true]}"#,
    ])
  func `printing a parsed text returns the same text`(text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(try JSONValue(parsing: value.description) == value)
    #expect(value.description == text)
  }

  /// A number is what it was written as, wherever its value lies.
  @Test(
    arguments: [
      ("1", .integer(1)), ("1.0", .number(1)), ("-0", .integer(0)), ("-0.0", .number(-0.0)),
      ("1e3", .number(1000)),
      ("1E+2", .number(100)), ("-1.5e-7", .number(-1.5e-7)),
      ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("-9223372036854775808", .integer(.min)), ("100000000000000000000", .number(1e20)),
      ("5e-324", .number(.leastNonzeroMagnitude)),
    ] as [(String, JSONValue)])
  func `a number keeps the kind of its spelling`(text: String, expected: JSONValue) throws {
    let value = try JSONValue(parsing: text)
    #expect(value == expected)
    #expect(try JSONValue(parsing: value.description) == expected, "\(value)")
    let inside = try JSONValue(parsing: " { \"n\" : [ \(text) ] } ")
    let store = ParameterStore(inside)
    let isInteger = if case .integer = expected { true } else { false }
    #expect((store.integer("/n/0") != nil) == isInteger && store.number("/n/0") != nil)
  }

  @Test(arguments: [
    "01", "-", "+1", "1.", ".5", "1e", "1e400", "-1e400", "0x1", "1_000", "NaN", "Infinity", "[1,]",
    "{\"a\":1,}",
    "{a:1}", "\"a\nb\"", #""\x""#, #""\ud800""#, #""\ud800\u0041""#, #""\u+123""#, "[1 2]", "tru",
  ])
  func `invalid JSON is an error`(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `escapes are decoded, and the last of two equal keys counts`() throws {
    #expect(try JSONValue(parsing: #""\u0041\ud83d\ude00\/\b\f""#) == .string("A\u{1F600}/\u{8}\u{C}"))
    #expect(try JSONValue(parsing: #"{"b":1,"a":2,"b":3}"#).description == #"{"a":2,"b":3}"#)
  }

  @Test(arguments: ["", "{", "nul", "{\"a\":1", "1 2", "\"\\u0000\"", "{\"\\u0000\":1}", "'a'"])
  func `a text that is no JSON for a plugin is an error and no trap`(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `very deep nesting is an error and no trap`() {
    let text = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `a plugin reads values by kind, and a value of another kind is absent`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        const timelined_parameters *p = context->parameters;
        static const char *const names[] = {"/null", "/yes", "/int", "/float", "/text", "/list", "/table", "/none", "",
          "/list/1", "/table/k~1ey", "bad"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
          int64_t integer = -7;
          double number = -7;
          bool boolean = false;
          char text[200], value[64];
          const char *found = host->parameter_text(p, names[i]), *json = host->parameter_json(p, names[i]);
          bool has_integer = host->parameter_integer(p, names[i], &integer);
          bool has_number = host->parameter_number(p, names[i], &number);
          bool has_boolean = host->parameter_boolean(p, names[i], &boolean);
          const char *key = host->parameter_key(p, names[i], 0);
          snprintf(value, sizeof value, "%" PRIu64, host->parameter_count(p, names[i]));
          snprintf(text, sizeof text, "%d i%d=%" PRId64 " n%d=%g b%d=%d t=%s c=%s k=%s j=%.30s",
            host->parameter_kind(p, names[i]), has_integer, integer, has_number, number, has_boolean, boolean,
            found ? found : "-", value, key ? key : "-", json ? json : "-");
          TIMELINED_LOG(context, TIMELINED_INFO, text);
        }
        return host->parameter_text(p, "/text") == host->parameter_text(p, "/text") ? TIMELINED_OK : TIMELINED_FAILED;
        """#))
    let host = try HostProcess()
    try host.load(library)
    try host.open(
      #"{"null":null,"yes":true,"int":9007199254740993,"float":0.5,"text":"hi","list":[1,"b"],"table":{"k/ey":2}}"#
    )
    let (lines, _, end) = try host.run()
    #expect(end.status == .succeeded)
    let none = "i0=-7 n0=-7 b0=0 t=- c=0 k=- j="
    #expect(
      lines.map(\.message) == [
        "1 \(none)null", "2 i0=-7 n0=-7 b1=1 t=- c=0 k=- j=true",
        "3 i1=9007199254740993 n1=9.0072e+15 b0=0 t=- c=0 k=- j=9007199254740993",
        "4 i0=-7 n1=0.5 b0=0 t=- c=0 k=- j=0.5", #"5 i0=-7 n0=-7 b0=0 t=hi c=0 k=- j="hi""#,
        #"6 i0=-7 n0=-7 b0=0 t=- c=2 k=- j=[1,"b"]"#, #"7 i0=-7 n0=-7 b0=0 t=- c=1 k=k/ey j={"k/ey":2}"#,
        "0 \(none)-", #"7 i0=-7 n0=-7 b0=0 t=- c=7 k=float j={"float":0.5,"int":90071992547"#,
        #"5 i0=-7 n0=-7 b0=0 t=b c=0 k=- j="b""#, "3 i1=2 n1=2 b0=0 t=- c=0 k=- j=2", "0 \(none)-",
      ])
  }
}
