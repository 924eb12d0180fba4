internal import CTimelinePlugin
internal import TimelineCore
package import TimelineSystem
package import TimelineWire

/// Calls of plugins in this process that are made in a row.
///
/// Each is made ready ahead of its time, as some plain bytes that lie beside those of the next, and made with nothing but a
/// reading of the clock between it and the one before. What came of them is asked for when all are made: it costs far more than a
/// call. One series is used on one thread at a time, and no two of a process make calls at the same time.
@safe package final class CallSeries {
  /// One call. It is made by looking at this alone, whatever else is in no cache.
  @safe private struct Call {
    let run: Run?
    let instance: UnsafeMutableRawPointer?
    let parameters: OpaquePointer?
    let job: UnsafePointer<CChar>?
    let runKey: UnsafePointer<CChar>?
    let number: UInt64
    let nominal: Int64
    let actual: Int64
    let deadline: Int64
    let entryCount: UInt64
    let attempt: UInt32
    let cadence: UInt8
    let mode: UInt8
    let isRehearsal: Bool
    let hasExtra: Bool
    let previousStatus: Int32
    var returned: timelined_status = 0
    var began: Int64 = 0
    var ended: Int64 = 0
  }

  private typealias Run =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<timelined_context>?) -> timelined_status

  private var calls: [Call] = []
  /// What keeps what the calls point at alive, `nil` for one that cannot be made.
  private var instances: [PluginInstance?] = []
  private var failures: [Int: OpenFailure] = [:]
  private var extras: [Int: CallExtra] = [:]
  /// What plugins said while they were opened, and in their calls.
  private var saidInOpen: [Int: Said] = [:]
  private var heard: [Int: HeardCall] = [:]
  private let keys = RunKeys()
  private var calledCount = 0

  /// How many calls are ready, those included that were made.
  package var count: Int { calls.count }

  /// Makes a series without calls.
  package init() {}

  /// Makes a call ready, which opens the job's instance first if it has none for these parameters; gives its number in the series,
  /// from 0. `place` is where the job stands among all jobs, if that is known.
  ///
  /// The run key of `request` is not looked at: the keys of a series are written side by side.
  package func add(
    _ request: RunRequest, _ opening: OpenRequest, of plugin: InProcessPlugin, at place: Int?
  ) -> Int {
    let index = calls.count
    var said: Said?
    do throws(OpenFailure) {
      let instance = try plugin.instance(for: opening, at: place, &said)
      let extra = CallExtra(request)
      if let extra { extras[index] = extra }
      calls.append(call(request, on: instance, hasExtra: extra != nil))
      instances.append(instance)
    } catch {
      failures[index] = error
      calls.append(call(request, on: nil, hasExtra: false))
      instances.append(nil)
    }
    if let said { saidInOpen[index] = said }
    return index
  }

  @inline(__always)
  private func call(_ request: RunRequest, on instance: PluginInstance?, hasExtra: Bool) -> Call {
    unsafe Call(
      run: instance?.plugin.table.run, instance: instance?.instance,
      parameters: instance?.parametersPointer, job: UnsafePointer(instance?.job),
      runKey: instance.map { unsafe keys.add(UnsafePointer($0.job), request.nominal) }, number: request.run,
      nominal: request.nominal.nanosecondsSinceEpoch, actual: request.actual.nanosecondsSinceEpoch,
      deadline: request.deadline?.nanosecondsSinceEpoch ?? .max, entryCount: request.entryCount,
      attempt: request.attempt, cadence: UInt8(truncatingIfNeeded: request.cadence.rawValue),
      mode: request.mode == .lowFrequency
        ? UInt8(TIMELINED_MODE_LOW_FREQUENCY) : UInt8(TIMELINED_MODE_NORMAL),
      isRehearsal: instance?.request.isRehearsal ?? false, hasExtra: hasExtra,
      previousStatus: request.previous.map { Int32($0.status.rawValue) } ?? Int32(TIMELINED_NO_STATUS))
  }

  /// Makes the next `count` calls and adds to `instants` when each was made; `first` is the last thing before the first of them,
  /// and is told what that calls.
  package func call(
    _ count: Int, into instants: inout [MonotonicInstant], before first: (CodePlace?) -> Void = { _ in }
  ) {
    let range = calledCount..<calledCount + count
    precondition(range.upperBound <= calls.count, "only what is ready is called")
    let (name, extras, current) = (CurrentCall.shared.reserve(count), extras, CurrentCall.shared)
    // In place: to ask for each call whether somebody else looks at the calls would cost as much as a call.
    unsafe calls.withUnsafeMutableBufferPointer { calls in
      for index in range {
        let extra = unsafe calls[index].hasExtra ? extras[index] : nil
        let ownName = name + UInt(index - range.lowerBound)
        var context = unsafe Self.context(of: calls[index], name: ownName, extra)
        let run = unsafe calls[index].run
        if index == range.lowerBound {
          if let run = unsafe run {
            unsafe PluginInstance.warm(run)
            // Nobody has been told the name yet, so that nothing can be said in this.
            unsafe Self.make(&calls[index], { _, _ in 0 }, &context, ownName, current)
          }
          first(unsafe run.map { unsafe CodePlace(address: unsafeBitCast($0, to: UnsafeRawPointer.self)) })
        }
        if let run = unsafe run {
          unsafe Self.make(&calls[index], run, &context, ownName, current)
        } else {
          unsafe calls[index].began = SystemTime.monotonic().nanosecondsSinceBoot
        }
        if index > range.lowerBound { unsafe calls[index - 1].ended = calls[index].began }
        withExtendedLifetime(extra) {}
      }
    }
    if count > 0 { calls[range.upperBound - 1].ended = SystemTime.monotonic().nanosecondsSinceBoot }
    for index in range { instants.append(MonotonicInstant(nanosecondsSinceBoot: calls[index].began)) }
    calledCount = range.upperBound
    for (said, call) in current.takeHeard(of: name..<name + UInt(count)) {
      heard[range.lowerBound + Int(said - name)] = call
    }
  }

  /// Makes a call. Never inlined, so that to go this way once with a function that does nothing, before the deadline that is waited
  /// for, has it in the processor's caches.
  @inline(never)
  private static func make(
    _ call: inout Call, _ run: Run, _ context: UnsafePointer<timelined_context>, _ name: UInt,
    _ current: CurrentCall
  ) {
    call.began = SystemTime.monotonic().nanosecondsSinceBoot
    current.beginSerial(name, run: call.number)
    unsafe call.returned = run(call.instance, context)
    current.endSerial()
  }

  /// What the plugin is handed, which points at what the series keeps.
  @inline(__always)
  private static func context(of call: Call, name: UInt, _ extra: CallExtra?) -> timelined_context {
    unsafe timelined_context(
      struct_size: UInt32(MemoryLayout<timelined_context>.size), attempt: call.attempt,
      host: HostTable.shared.pointer, call: OpaquePointer(bitPattern: name), parameters: call.parameters,
      job: call.job, run_key: call.runKey, nominal: call.nominal, actual: call.actual,
      deadline: call.deadline, entry_count: call.entryCount, cadence: timelined_cadence(call.cadence),
      mode: timelined_mode(call.mode), is_rehearsal: call.isRehearsal ? 1 : 0,
      previous_status: timelined_status(call.previousStatus), previous_result: extra?.previousText,
      cursor: extra?.cursor, cursor_length: UInt64(extra?.cursorLength ?? 0), story: extra?.story)
  }

  /// How and when a call ended that was made, and what the plugin said meanwhile in its order.
  package func end(of index: Int) -> (end: RunEnd, said: [HostMessage]) {
    let call = calls[index]
    var said = saidInOpen.isEmpty ? [] : saidInOpen[index]?.all ?? []
    guard let instance = instances[index] else {
      let failure = failures[index]?.text ?? "there is no instance"
      let end =
        (try? RunEnd(run: call.number, status: failures[index]?.status ?? .failed, text: failure))
        ?? RunEnd(run: call.number, failure: failure)
      return (end, said)
    }
    let words = heard.isEmpty ? nil : heard[index]
    if let words { said += words.said.all }
    let returned = unsafe call.run == nil ? nil : call.returned
    var end = instance.end(of: call.number, returned, words?.call.said ?? PluginCall.Answers())
    end.call = RunEnd.Call(began: call.began, took: UInt64(clamping: call.ended - call.began))
    return (end, said)
  }

  /// Forgets all calls; what very many needed is not kept for a few.
  package func removeAll() {
    let keepsRoom = calls.count <= 1_000
    calls.removeAll(keepingCapacity: keepsRoom)
    instances.removeAll(keepingCapacity: keepsRoom)
    if !failures.isEmpty { failures = [:] }
    if !extras.isEmpty { extras = [:] }
    if !saidInOpen.isEmpty { saidInOpen = [:] }
    if !heard.isEmpty { heard = [:] }
    keys.removeAll()
    calledCount = 0
  }
}
