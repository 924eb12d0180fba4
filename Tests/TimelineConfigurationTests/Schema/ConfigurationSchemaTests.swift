import Testing
import TimelineConfiguration
import TimelineCore
import TimelineJSON

/// The schema for editors keeps up with the reader.
@Suite struct ConfigurationSchemaTests {
  /// Tables, and the object of the schema that describes each; of the schedule's, the second alternative.
  static let tables: [(table: KeyTable, pointer: String)] = [
    (.root, ""), (.daemon, "/properties/daemon"),
    (.lowFrequency, "/properties/daemon/properties/low-frequency"),
    (.pressure, "/properties/daemon/properties/low-frequency/properties/pressure"),
    (.control, "/properties/control"),
    (.ledger, "/properties/ledger"), (.holidays, "/properties/holidays/additionalProperties"),
    (.group, "/properties/group/additionalProperties"), (.job, "/definitions/job"),
    (.defaults, "/definitions/defaults"),
    (.schedule, "/definitions/schedule/oneOf/1"),
    (.periodic, "/definitions/schedule/oneOf/1/properties/periodic"),
    (.animation, "/definitions/schedule/oneOf/1/properties/animation"),
    (.civil, "/definitions/schedule/oneOf/1/properties/civil"),
    (.pick, "/definitions/schedule/oneOf/1/properties/pick"),
    (.daylightSaving, "/definitions/schedule/oneOf/1/properties/dst"),
    (.missed, "/definitions/job/properties/missed/oneOf/1"), (.retry, "/definitions/job/properties/retry"),
    (.backoff, "/definitions/job/properties/retry/properties/backoff"), (.limits, "/definitions/limits"),
    (.runLimits, "/definitions/run-limits"),
    (.reaction, "/definitions/reaction/oneOf/1"),
    (.sandbox, "/definitions/job/properties/sandbox/oneOf/1"),
    (.expectation, "/definitions/expect-schedule"), (.cluster, "/properties/cluster"),
    (.include, "/properties/include"),
    (.clusterStore, "/properties/cluster/properties/store"),
    (.postgresql, "/properties/cluster/properties/store/properties/postgresql"),
    (.etcd, "/properties/cluster/properties/store/properties/etcd"),
    (.clusterNode, "/properties/cluster/properties/node"),
  ]

  @Test(arguments: tables.indices) func `has the keys of every table, and no others`(index: Int) {
    let (table, pointer) = Self.tables[index]
    let properties = ConfigurationSchema.value().value(at: pointer + "/properties")
    guard case .object(let members)? = properties else {
      Issue.record("no object at \(pointer)/properties")
      return
    }
    #expect(members.map(\.key).sorted() == table.keys.sorted(), "\(table.title)")
    #expect(ConfigurationSchema.value().value(at: pointer + "/additionalProperties") == .boolean(false))
  }

  @Test func `describes every table`() {
    #expect(Set(Self.tables.map(\.table.title)) == Set(KeyTable.all.map(\.title)))
  }

  @Test func `describes no object that is not a table`() {
    #expect(
      Self.objects(in: ConfigurationSchema.value(), at: "").sorted() == Self.tables.map(\.pointer).sorted())
  }

  /// The places of all objects with properties of their own.
  private static func objects(in value: JSONValue, at pointer: String) -> [String] {
    switch value {
    case .object(let members):
      let own = members.contains { $0.key == "additionalProperties" && $0.value == .boolean(false) }
      return (own ? [pointer] : []) + members.flatMap { objects(in: $0.value, at: pointer + "/" + $0.key) }
    case .array(let elements):
      return elements.enumerated().flatMap { objects(in: $1, at: pointer + "/\($0)") }
    default: return []
    }
  }

  /// Keys with a few possible words, and these words.
  static let choices: [(pointer: String, words: [String])] = [
    ("/definitions/job/properties/overlap", OverlapPolicy.allCases.map(\.rawValue)),
    ("/definitions/job/properties/missed/oneOf/0", MissedPolicy.Choice.allCases.map(\.rawValue)),
    ("/definitions/job/properties/delivery", DeliveryPolicy.allCases.map(\.rawValue)),
    ("/definitions/job/properties/sandbox/oneOf/0", SystemCallPolicy.allCases.map(\.rawValue)),
    (
      "/definitions/job/properties/sandbox/oneOf/1/properties/system-calls",
      SystemCallPolicy.allCases.map(\.rawValue)
    ),
    (
      "/definitions/job/properties/sandbox/oneOf/1/properties/unsupported",
      UnsupportedPolicy.allCases.map(\.rawValue)
    ),
    (
      "/definitions/schedule/oneOf/1/properties/pick/properties/per",
      EntryPick.Period.allCases.map(\.rawValue)
    ),
    (
      "/definitions/schedule/oneOf/1/properties/on-excluded",
      ["skip"] + EntryMove.Direction.allCases.map(\.rawValue)
    ),
    ("/definitions/job/properties/leftovers", LeftoverPolicy.allCases.map(\.rawValue)),
  ]

  @Test(arguments: choices.indices) func `has every word of a choice`(index: Int) {
    let (pointer, words) = Self.choices[index]
    let value = ConfigurationSchema.value().value(at: pointer + "/enum")
    #expect(value == .array(words.map { .string($0) }), "\(pointer)")
  }

  @Test func `has references of plugins' schemas that lead into them`() throws {
    let text =
      ##"{"$defs": {"a": {"type": "string"}}, "properties": {"b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}"##
    let schema = try JSONValue(parsing: text)
    let value = ConfigurationSchema.value(plugins: [("exec", .boolean(true)), ("mine", schema)])
    let place = "/definitions/job/allOf/1/then/properties/with"
    #expect(value.value(at: place + "/properties/b/anyOf/0/$ref") == .string("#\(place)/$defs/a"))
    #expect(value.value(at: place + "/$defs/a/type") == .string("string"))
  }

  @Test func `has the schemas of plugins for jobs with one of them`() {
    let schema = JSONValue.object(JSONObject([(key: "type", value: JSONValue.string("object"))]))
    let value = ConfigurationSchema.value(plugins: [("exec", schema), ("mine", schema)])
    #expect(value.value(at: "/definitions/job/allOf/1/if/properties/plugin/const") == .string("mine"))
    #expect(value.value(at: "/definitions/job/allOf/0/then/properties/with") == schema)
    #expect(value.value(at: "/definitions/job/required") == .array([.string("schedule")]))
    #expect(ConfigurationSchema.value().value(at: "/definitions/job/allOf") == nil)
  }
}
