/// A message from a plugin host to the daemon. One SEQPACKET message each; text that is too long is cut and marked.
package enum HostMessage: Sendable, Hashable {
  /// The plugin is loaded and speaks an ABI that the host speaks.
  case loaded(PluginDescription)
  /// The plugin was not loaded.
  case refused(Refusal)
  /// There is the instance that was asked for.
  case opened
  /// The plugin did not make an instance.
  case openFailed(OpenFailure)
  /// A line for the log.
  case log(LogLine)
  /// So many bytes of lines for the log were left out, because there were too many.
  case dropped(bytes: UInt64)
  /// The progress of a run.
  case progress(Progress)
  /// A run is over.
  case ended(RunEnd)
  /// The run whose end follows has left processes behind that are to run on: after that end the host stays as their parent,
  /// loads nothing and hears nothing any more.
  case leaving
  /// The host begins no further run: the plugin has left the process in a state that cannot be restored. A run whose message crossed with
  /// this one is not begun.
  case retiring
  /// The instance is not there any more.
  case closed
  /// The plugin called exit(3) with this status; the end of the socket follows. Not sent for an exit that the
  /// daemon asked for.
  case exiting(status: Int32)
}

/// A plugin's description of itself.
package struct PluginDescription: Sendable, Hashable {
  /// One word.
  package let name: String
  /// The plugin's version, in its own form.
  package let version: String
  /// One line: what it does.
  package let summary: String
  /// A JSON Schema for the job's parameters as text; `nil` when it has none.
  package let parametersSchema: String?
  /// The oldest ABI that it speaks.
  package let abiOldest: UInt32
  /// The newest ABI that it speaks.
  package let abiNewest: UInt32
  /// The maximum number of instances open in one process, at least 1.
  package let instancesMax: UInt32

  /// Makes a description; throws ``WireError/tooLong(field:length:max:)`` for a schema, which cannot be cut.
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

/// The reason why a plugin was not loaded: file, reason, remedy.
package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file that was to be loaded, as it was named.
  package let file: String
  /// The expectation, and the fact that was found instead.
  package let reason: String
  /// The remedy.
  package let remedy: String

  /// Makes a refusal; each text is cut.
  package init(file: String, reason: String, remedy: String) {
    self.file = file.cut(to: WireLimits.pathMax)
    self.reason = reason.cut(to: WireLimits.textMax)
    self.remedy = remedy.cut(to: WireLimits.textMax)
  }

  /// The three in one line.
  package var description: String { "\(file): \(reason); \(remedy)" }
}

/// The reason why there is no instance.
package struct OpenFailure: Error, Sendable, Hashable {
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
package struct LogLine: Sendable, Hashable {
  /// The severity of a line; the ABI's `timelined_level` with the same numbers.
  package enum Level: UInt8, Sendable, Hashable, CaseIterable {
    /// For the plugin's author.
    case debug = 0
    /// For the record.
    case info = 1
    /// Normal but worth seeing.
    case notice = 2
    /// Not as it should be, carrying on.
    case warning = 3
    /// Something failed.
    case error = 4
  }

  /// One field beside the message.
  package struct Field: Sendable, Hashable {
    /// The name of the field.
    package let key: String
    /// Its value.
    package let value: String

    /// Makes a field; both texts are cut.
    package init(key: String, value: String) {
      self.key = key.cut(to: WireLimits.wordMax)
      self.value = value.cut(to: WireLimits.fieldValueMax)
    }
  }

  /// The bytes of its texts, those of the fields included: what counts against a budget.
  package var length: Int {
    fields.reduce(message.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// The run in which it was written; `nil` while the instance was being made.
  package let run: UInt64?
  /// The severity of the line.
  package let level: Level
  /// The line.
  package let message: String
  /// The fields, in the plugin's order.
  package let fields: [Field]

  /// Makes a line; the message is cut and fields after the ``WireLimits/fieldsMax`` first are dropped.
  package init(run: UInt64?, level: Level, message: String, fields: [Field] = []) {
    self.run = run
    self.level = level
    self.message = message.cut(to: WireLimits.textMax)
    self.fields = Array(fields.prefix(WireLimits.fieldsMax))
  }
}

/// The progress of a run.
package struct Progress: Sendable, Hashable {
  /// The run.
  package let run: UInt64
  /// From 0 to 1,000,000; `nil` when the plugin has no idea.
  package let millionths: UInt32?
  /// A line for people; empty for none.
  package let text: String

  /// Makes a report; `millionths` is clamped and `text` is cut.
  package init(run: UInt64, millionths: UInt32?, text: String) {
    self.run = run
    self.millionths = millionths.map { Swift.min($0, 1_000_000) }
    self.text = text.cut(to: WireLimits.textMax)
  }
}

/// The end of a run.
package struct RunEnd: Sendable, Hashable {
  /// The time of the call of a plugin, which only its plugin host knows: a run may wait there for its time, or for a
  /// processor.
  package struct Call: Sendable, Hashable {
    /// The instant of the call, in nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
    package let began: Int64
    /// The length of the call, in nanoseconds of that clock.
    package let took: UInt64

    /// Makes a call.
    package init(began: Int64, took: UInt64) {
      self.began = began
      self.took = took
    }
  }

  /// The run.
  package let run: UInt64
  /// The status with which the run ended.
  package let status: RunStatus
  /// The result of a success, empty for none; otherwise what failed, on what, and what to do about it.
  package let text: String
  /// The new cursor, to be stored with the run's end; empty to remove it, `nil` to leave it as it is. Only a
  /// success has one.
  package let cursor: [UInt8]?
  /// The time of the plugin's call; `nil` when it was not called.
  package var call: Call?

  /// Makes an end; `text` is cut. Throws ``WireError/tooLong(field:length:max:)`` for a cursor.
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
