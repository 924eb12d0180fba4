import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `The parameters of plugins` {
  private static func source(schema: String) -> String {
    """
    #include <timelined_plugin.h>
    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance; (void)context;
      return TIMELINED_OK;
    }
    static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "typed", .version = "1", .summary = "a", .run = run,
                                           .parameters_schema = "\(schema)"};
    const timelined_plugin *timelined_plugin_entry(const timelined_host *host) { (void)host; return &table; }
    """
  }

  private func control(_ words: String...) throws -> FinishedProgram {
    try StartedProgram.run([BuiltProgram.control, "plugin"] + words)
  }

  @Test func `are shown by inspect and list with types, choices, ranges and defaults`() throws {
    let properties: [(schema: String, shown: String)] = [
      (
        #"{"type": "string", "minLength": 1, "description": "A word."}"#,
        "text, not empty, required"
      ),
      (#"{"type": "integer", "minimum": 0, "maximum": 9, "default": 3}"#, "integer, 0 to 9, default 3"),
      (#"{"type": "number", "exclusiveMinimum": 0}"#, "number, above 0"),
      (#"{"enum": ["a", "b"], "default": "a"}"#, #"one of "a" "b", default "a""#),
      (
        #"{"type": "array", "items": {"type": "integer", "maximum": 255}, "maxItems": 4}"#,
        "array of integer at most 255, at most 4 elements"
      ),
      (
        #"{"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}"#,
        "array of text or text"
      ),
      (#"{"type": ["string", "null"]}"#, "text or null"), ("{}", ""),
    ]
    let members = properties.enumerated().map { "\"p\($0.offset)\": \($0.element.schema)" }.joined(
      separator: ", ")
    let schema = #"{"required": ["p0"], "properties": {\#(members)}}"#.replacing("\"", with: "\\\"")
    let workshop = try Workshop()
    let path = try workshop.compile(Self.source(schema: schema), name: "typed")
    let shown = try control("inspect", path, "--host", BuiltProgram.host)
    let list = try control("list", "--plugins", workshop.path, "--host", BuiltProgram.host, "--parameters")
    let json = try control("list", "--plugins", workshop.path, "--host", BuiltProgram.host, "--json")
    for (number, property) in properties.enumerated() {
      let line = "  p\(number)" + (property.shown.isEmpty ? "" : "  \(property.shown)")
      #expect(shown.output.split(separator: "\n").contains(Substring(line)), "\(line)\n\(shown)")
      #expect(list.output.split(separator: "\n").contains(Substring(line)), "\(line)\n\(list)")
    }
    #expect(shown.output.contains("\n      A word.\n"))
    #expect(
      json.output.contains(#"{"constraints":"integer, 0 to 9, default 3","isRequired":false,"name":"p1"}"#))
  }
}
