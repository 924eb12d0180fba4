/// The requirements of `timelined_plugin.h` that are checked from outside, in the order of that file.
package enum ConformanceCheck: String, Sendable, Hashable, CaseIterable {
  case loads
  case entryPoint = "entry-point"
  case tableSize = "table-size"
  case abi
  case reserved
  case runFunction = "run-function"
  case texts
  case schema
  case open
  case runReturns = "run-returns"
  case memory
  case descriptors
  case threads
  case staleCalls = "stale-calls"
  case close
  case reopen
  case end
  case cancel
  case refusesParameters = "refuses-parameters"
  case instances
  case twoHosts = "two-hosts"
  case knownStatus = "known-status"
  case saysWhy = "says-why"

  package var sentence: String {
    switch self {
    case .loads: "the library is trusted, and the dynamic linker takes it"
    case .entryPoint: "the entry function is exported and returns a table"
    case .tableSize: "struct_size is a size that the table can have"
    case .abi: "the range of ABI numbers has one that the host speaks"
    case .reserved: "reserved members are zero"
    case .runFunction: "there is a run function"
    case .texts: "name, version and summary are there, and the name is one word"
    case .schema: "parameters_schema is a JSON Schema of supported keywords"
    case .open: "open takes the parameters and returns"
    case .runReturns: "run returns, and neither crashes nor exits"
    case .memory: "memory does not grow with the number of runs"
    case .descriptors: "many runs leave no descriptor open"
    case .threads: "many runs leave no thread behind"
    case .staleCalls: "no thread calls the host after open or run has returned"
    case .close: "close returns after the last run"
    case .reopen: "open works again after close, in the same process"
    case .end: "the plugin host exits when it is asked to"
    case .cancel: "a run that is asked to stop returns within the grace"
    case .refusesParameters: "parameters that the schema refuses end open or run with an error"
    case .instances: "several instances are open in one process"
    case .twoHosts: "two processes run at the same time"
    case .knownStatus: "open and run return a status that the header has"
    case .saysWhy: "a failure has the text given to set_error"
    }
  }

  /// The checks that a loaded plugin has passed, in the order of the host.
  static let loading: [ConformanceCheck] = [
    .loads, .entryPoint, .tableSize, .abi, .reserved, .runFunction, .texts, .schema,
  ]

  /// Makes the check that a host's refusal refers to, from the beginning of the refusal's reason.
  init(refusalReason reason: String) {
    let beginnings: [(String, ConformanceCheck)] = [
      ("expected a function", .entryPoint), ("timelined_plugin_entry returned NULL", .entryPoint),
      ("expected a table of", .tableSize), ("expected a plugin that speaks", .abi),
      ("expected the table's reserved member", .reserved), ("expected a run function", .runFunction),
      ("expected a name", .texts), ("expected a version", .texts), ("expected a summary", .texts),
      ("expected the plugin's name", .texts), ("the plugin's parameters_schema", .schema),
    ]
    self = beginnings.first { reason.hasPrefix($0.0) }?.1 ?? .loads
  }
}

/// The result of one check.
package struct ConformanceFinding: Sendable, Equatable {
  /// The kinds of results.
  package enum Verdict: String, Sendable, Hashable, CaseIterable {
    case passed
    case failed
    /// The requirement could not be checked.
    case skipped
  }

  package let check: ConformanceCheck
  package let verdict: Verdict
  /// The observation, or the reason for a skipped check; may be empty.
  package let text: String
}
