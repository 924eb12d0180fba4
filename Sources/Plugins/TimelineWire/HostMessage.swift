/// A message from a plugin host to the daemon. Each message is one SEQPACKET message; text that is too long is cut and
/// marked.
package enum HostMessage: Sendable, Equatable {
  /// The plugin is loaded and supports an ABI that the host supports.
  case loaded(PluginDescription)
  /// The plugin was not loaded.
  case refused(Refusal)
  /// The requested instance was opened.
  case opened
  /// The plugin did not make an instance.
  case openFailed(OpenFailure)
  /// A line for the log.
  case log(LogLine)
  /// Number of bytes of log lines that were dropped, because there were too many.
  case dropped(bytes: UInt64)
  /// The progress of a run.
  case progress(Progress)
  /// A run is over.
  case ended(RunEnd)
  /// The run whose end follows has left processes behind that may go on running. After that end the host stays as their
  /// parent, loads no plugin and reads no messages.
  case leaving
  /// The host begins no further run, because the plugin has changed the state of its process and the state cannot be
  /// restored. A run whose message crossed with this message is not begun.
  case retiring
  /// The instance was closed.
  case closed
  /// The plugin called exit(3) with this status; the end of the socket follows. Not sent if the daemon asked the host to
  /// exit.
  case exiting(status: Int32)
}

/// A plugin's description of itself.
package struct PluginDescription: Sendable, Equatable {
  /// One word.
  package let name: String
  /// In the plugin's own form.
  package let version: String
  /// One line.
  package let summary: String
  /// A JSON Schema of the job's parameters, as text; `nil` when the plugin has none.
  package let parametersSchema: String?
  package let abiOldest: UInt32
  package let abiNewest: UInt32
  /// The maximum number of instances open in one process, at least 1.
  package let instancesMax: UInt32

  /// Makes a description. Throws ``WireError/tooLong(field:length:max:)`` for a long schema, which cannot be cut.
  package init(
    name: String, version: String, summary: String, parametersSchema: String?, abiOldest: UInt32,
    abiNewest: UInt32, instancesMax: UInt32 = 1
  ) throws(WireError) {
    let schemaLength = parametersSchema?.utf8.count ?? 0
    guard schemaLength <= WireLimits.schemaMax else {
      throw .tooLong(field: "the plugin's parameters_schema", length: schemaLength, max: WireLimits.schemaMax)
    }
    self.name = name.cut(to: WireLimits.wordMax)
    self.version = version.cut(to: WireLimits.wordMax)
    self.summary = summary.cut(to: WireLimits.textMax)
    self.parametersSchema = parametersSchema
    self.abiOldest = abiOldest
    self.abiNewest = abiNewest
    self.instancesMax = max(1, instancesMax)
  }
}

/// The reason why a plugin was not loaded, with the file and the remedy.
package struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file that was to be loaded, in the spelling of the request.
  package let file: String
  /// The requirement, and how the file violates it.
  package let reason: String
  package let remedy: String

  /// Makes a refusal; each text is cut.
  package init(file: String, reason: String, remedy: String) {
    self.file = file.cut(to: WireLimits.pathMax)
    self.reason = reason.cut(to: WireLimits.textMax)
    self.remedy = remedy.cut(to: WireLimits.textMax)
  }

  /// File, reason and remedy in one line.
  package var description: String { "\(file): \(reason); \(remedy)" }
}

/// The reason why an instance could not be opened.
package struct OpenFailure: Error, Sendable, Equatable {
  /// The status with which the plugin ended the call; never ``RunStatus/succeeded``.
  package let status: RunStatus
  /// The error: the operation, its object and the remedy.
  package let text: String

  /// Makes a failure; `text` is cut.
  package init(status: RunStatus, text: String) {
    self.status = status
    self.text = text.cut(to: WireLimits.textMax)
  }
}

/// A line for the log.
package struct LogLine: Sendable, Equatable {
  /// The severity of a line; the ABI's `timelined_level` with the same numbers.
  package enum Level: UInt8, Sendable, Hashable, CaseIterable {
    /// Information for the plugin's author.
    case debug = 0
    /// Information for the record.
    case info = 1
    /// A normal event that deserves attention.
    case notice = 2
    /// A problem after which the run goes on.
    case warning = 3
    case error = 4
  }

  /// A key and a value beside the message.
  package struct Field: Sendable, Equatable {
    package let key: String
    package let value: String

    /// Makes a field; both texts are cut.
    package init(key: String, value: String) {
      self.key = key.cut(to: WireLimits.wordMax)
      self.value = value.cut(to: WireLimits.fieldValueMax)
    }
  }

  /// Number of bytes of the line's texts, including those of the fields. This number is charged to a budget.
  package var length: Int {
    fields.reduce(message.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// The run in which the line was written; `nil` while the instance was being opened.
  package let run: UInt64?
  package let level: Level
  package let message: String
  /// The fields, in the plugin's order.
  package let fields: [Field]

  /// Makes a line. The message is cut, and fields after the first ``WireLimits/fieldsMax`` are dropped.
  package init(run: UInt64?, level: Level, message: String, fields: [Field] = []) {
    self.run = run
    self.level = level
    self.message = message.cut(to: WireLimits.textMax)
    self.fields = Array(fields.prefix(WireLimits.fieldsMax))
  }
}

/// The progress of a run.
package struct Progress: Sendable, Equatable {
  package let run: UInt64
  /// Progress from 0 to 1,000,000; `nil` if the plugin cannot estimate it.
  package let millionths: UInt32?
  /// A line for operators; empty for none.
  package let text: String

  /// Makes a report; `millionths` is clamped and `text` is cut.
  package init(run: UInt64, millionths: UInt32?, text: String) {
    self.run = run
    self.millionths = millionths.map { Swift.min($0, 1_000_000) }
    self.text = text.cut(to: WireLimits.textMax)
  }
}

/// The end of a run.
package struct RunEnd: Sendable, Equatable {
  /// The time of a plugin's call. Only the plugin host can measure it, because a run may wait in the host for its time or
  /// for a processor.
  package struct Call: Sendable, Hashable {
    /// The instant of the call, in nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
    package let began: Int64
    /// The length of the call, in nanoseconds of CLOCK_MONOTONIC.
    package let took: UInt64

    package init(began: Int64, took: UInt64) {
      self.began = began
      self.took = took
    }
  }

  package let run: UInt64
  package let status: RunStatus
  /// The result of a success, empty for none; otherwise the error: the operation, its object and the remedy.
  package let text: String
  /// The new cursor, which is stored with the run's end; empty removes the cursor, `nil` leaves it unchanged. Only a
  /// success has a new cursor.
  package let cursor: [UInt8]?
  /// The time of the plugin's call; `nil` if the plugin was not called.
  package var call: Call?

  /// Makes an end; `text` is cut. Throws ``WireError/tooLong(field:length:max:)`` for a long cursor, which cannot be cut.
  package init(
    run: UInt64, status: RunStatus, text: String, cursor: [UInt8]? = nil, call: Call? = nil
  ) throws(WireError) {
    if let cursor, cursor.count > WireLimits.cursorMax {
      throw .tooLong(field: "the cursor", length: cursor.count, max: WireLimits.cursorMax)
    }
    self.run = run
    self.status = status
    self.text = text.cut(to: WireLimits.textMax)
    self.cursor = cursor
    self.call = call
  }

  /// Makes the end of a run that failed; `failure` is cut.
  package init(run: UInt64, failure: String) {
    self.run = run
    self.status = .failed
    self.text = failure.cut(to: WireLimits.textMax)
    self.cursor = nil
  }
}
