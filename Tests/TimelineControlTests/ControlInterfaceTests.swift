import Foundation
import Testing
import TimelineCore

@testable import TimelineControl

@Suite struct ControlInterfaceTests {
  typealias Kind = InterfaceDescription.Kind

  @Test func `the descriptions are of the interfaces they are for`() throws {
    let control = try InterfaceDescription(parsing: ControlInterface.description)
    #expect(control.name == ControlInterface.name)
    #expect(Set(control.methods.keys) == ControlRequest.methods)
    let service = try InterfaceDescription(parsing: VarlinkService.description)
    #expect(service.name == VarlinkService.name)
    #expect(Set(service.methods.keys) == ["GetInfo", "GetInterfaceDescription"])
    #expect(
      Set(service.errors.keys) == [
        "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied",
      ])
  }

  /// Every type and method's reply of the description, with a value that has every field and one that has only the required.
  static let pairs: [(name: String, full: any Encodable & Sendable, bare: any Encodable & Sendable)] = [
    ("NextEntry", NextEntry(job: "a", entry: .epoch), NextEntry(job: "a", entry: .epoch)),
    ("Run", Samples.run, Samples.bareRun), ("EntryEnd", Samples.end, Samples.bareEnd),
    ("Job", Samples.job, Samples.bareJob),
    ("Status", Samples.status, Samples.bareStatus),
    ("List", ListReply(jobs: [Samples.job]), ListReply(jobs: [])),
    ("Reload", ReloadReply(added: ["a"], changed: ["b"], removed: ["c"], unchangedCount: 1), ReloadReply()),
    ("Trigger", Samples.trigger, Samples.bareTrigger),
    ("Stop", StopReply(runningCount: 2), StopReply(runningCount: 0)),
  ]

  @Test func `every type and reply of the description is compared`() throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    #expect(Set(Self.pairs.map(\.name)) == Set(description.types.keys).union(description.methods.keys))
  }

  @Test(arguments: pairs.indices)
  func `the Swift types write what the description says`(index: Int) throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    let pair = Self.pairs[index]
    let fields = try #require(description.types[pair.name] ?? description.methods[pair.name]?.output)
    for (value, isFull) in [(pair.full, true), (pair.bare, false)] {
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
      try check(json, .structure(fields), description, isFull: isFull, at: pair.name)
    }
  }

  @Test func `the errors have the parameters that the description says`() throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    for error in Self.errors {
      let sent = error.varlink
      let parts = sent.name.split(separator: ".")
      guard parts.dropLast().joined(separator: ".") == ControlInterface.name else { continue }
      let fields = try #require(description.errors[String(parts.last ?? "")])
      for field in fields where sent.parameters[field.name] == nil {
        #expect(field.kind == .optional(.string))
      }
      #expect(Set(sent.parameters.keys).isSubset(of: fields.map(\.name)))
    }
  }

  static let errors: [ControlError] = [
    .noSuchJob(job: "repotr", nearest: "report"), .noSuchJob(job: "x", nearest: nil),
    .reloadFailed(diagnostics: "a.toml:1:2: no"), .shuttingDown, .permissionDenied,
  ]

  @Test(arguments: errors)
  func `an error that is sent is recognized by whoever receives it`(error: ControlError) {
    #expect(ControlError(error.varlink) == error)
    #expect(!error.description.isEmpty)
  }

  @Test func `instants keep their nanoseconds both ways`() throws {
    let json = try JSONEncoder().encode([Timestamp(Samples.start)])
    #expect(String(decoding: json, as: UTF8.self) == #"["2026-11-18T11:06:40.123456789Z"]"#)
    #expect(try JSONDecoder().decode([Timestamp].self, from: json) == [Timestamp(Samples.start)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Timestamp].self, from: Data(#"["noon"]"#.utf8))
    }
    for sample in [Samples.status, Samples.bareStatus] {
      #expect(try JSONDecoder().decode(StatusReply.self, from: JSONEncoder().encode(sample)) == sample)
    }
  }

  @Test func `durations and lateness follow from the instants, and counts of nothing are left out`() {
    #expect(Samples.end.latenessNanoseconds == 42)
    #expect(Samples.end.durationNanoseconds == 9_999_999_958)
    #expect(Samples.bareEnd.durationNanoseconds == nil && Samples.bareEnd.latenessNanoseconds == nil)
    #expect(Samples.job.dispositions == ["succeeded": 4, "dst-gap": 1])
  }

  @Test func `only reading is for everyone`() {
    #expect([ControlRequest.status, .list].allSatisfy { !$0.isChange })
    #expect([ControlRequest.reload, .trigger(job: "x"), .stop].allSatisfy { $0.isChange })
  }

  private func check(
    _ value: Any?, _ kind: Kind, _ description: InterfaceDescription, isFull: Bool, at place: String
  ) throws {
    switch kind {
    case .optional(let inner):
      #expect((value != nil) == isFull, "\(place) is optional")
      if value != nil { try check(value, inner, description, isFull: isFull, at: place) }
    case .string: #expect(value is String, "\(place)")
    case .bool: #expect(value is Bool, "\(place)")
    case .int: #expect(value is Int, "\(place)")
    case .float: #expect(value is Double, "\(place)")
    case .object: #expect(value is [String: Any], "\(place)")
    case .named(let name):
      let fields = try #require(description.types[name])
      try check(value, .structure(fields), description, isFull: isFull, at: place)
    case .array(let inner):
      let elements = try #require(value as? [Any], "\(place)")
      #expect(elements.isEmpty != isFull, "\(place)")
      for element in elements { try check(element, inner, description, isFull: isFull, at: "\(place)[]") }
    case .map(let inner):
      let values = try #require(value as? [String: Any], "\(place)")
      for (key, value) in values {
        try check(value, inner, description, isFull: isFull, at: "\(place)[\(key)]")
      }
    case .structure(let fields):
      let object = try #require(value as? [String: Any], "\(place)")
      #expect(Set(object.keys).isSubset(of: fields.map(\.name)), "\(place)")
      for field in fields {
        try check(object[field.name], field.kind, description, isFull: isFull, at: "\(place).\(field.name)")
      }
    }
  }
}
