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
  /// One call, beside what the plugin is handed in it. It is made by looking at these alone, whatever else is in no cache.
  @safe private struct Call {
    let run: Run?
    let instance: UnsafeMutableRawPointer?
    let number: UInt64
    var returned: timelined_status = 0
    var began: Int64 = 0
    var ended: Int64 = 0
  }

  private typealias Run =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<timelined_context>?) -> timelined_status

  private var calls: [Call] = []
  /// The context of the plugin in each call, complete except for the call's name.
  private var contexts: [timelined_context] = unsafe []
  /// The owners of the memory that the calls point at, `nil` for a call that cannot be made.
  private var instances: [PluginInstance?] = []
  private var failures: [Int: OpenFailure] = [:]
  private var extras: [Int: CallExtra] = [:]
  /// The messages of plugins while they were opened, and in their calls.
  private var saidInOpen: [Int: Said] = [:]
  private var heard: [Int: HeardCall] = [:]
  private let keys = RunKeys()
  private var calledCount = 0

  /// The number of calls that are ready, calls already made included.
  package var count: Int { calls.count }

  /// Makes a series without calls.
  package init() {}

  /// Makes room for `count` further calls at once: to find it call by call moves those that are ready again and again.
  package func reserve(_ count: Int) {
    calls.reserveCapacity(calls.count + count)
    unsafe contexts.reserveCapacity(contexts.count + count)
    instances.reserveCapacity(instances.count + count)
  }

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
      let extra = CallExtra.of(request)
      if let extra { extras[index] = extra }
      unsafe calls.append(
        Call(run: instance.plugin.table.run, instance: instance.instance, number: request.run))
      unsafe contexts.append(
        instance.context(for: request, runKey: keys.add(UnsafePointer(instance.job), request.nominal), extra))
      instances.append(instance)
    } catch {
      failures[index] = error
      unsafe calls.append(Call(run: nil, instance: nil, number: request.run))
      unsafe contexts.append(timelined_context())
      instances.append(nil)
    }
    if let said { saidInOpen[index] = said }
    return index
  }

  /// Makes the next `count` calls and adds to `instants` when each was made; `first` is the last thing before the first of them,
  /// and is told what that calls.
  package func call(
    _ count: Int, into instants: inout [MonotonicInstant], before first: (CodePlace?) -> Void = { _ in }
  ) {
    let range = calledCount..<calledCount + count
    precondition(range.upperBound <= calls.count, "only what is ready is called")
    let (name, current) = (CurrentCall.shared.reserve(count), CurrentCall.shared)
    // In place: to ask for each call whether somebody else looks at the calls would cost as much as a call.
    unsafe calls.withUnsafeMutableBufferPointer { calls in
      unsafe contexts.withUnsafeMutableBufferPointer { contexts in
        for index in range {
          let ownName = name + UInt(index - range.lowerBound)
          unsafe contexts[index].call = OpaquePointer(bitPattern: ownName)
          let context = unsafe UnsafePointer(contexts.baseAddress.unsafelyUnwrapped + index)
          let run = unsafe calls[index].run
          if index == range.lowerBound {
            if let run = unsafe run {
              unsafe PluginInstance.warm(run)
              // Nobody has been told the name yet, so that nothing can be said in this.
              unsafe Self.make(&calls[index], { _, _ in 0 }, context, ownName, current)
            }
            first(unsafe run.map { unsafe CodePlace(address: unsafeBitCast($0, to: UnsafeRawPointer.self)) })
          }
          if let run = unsafe run {
            unsafe Self.make(&calls[index], run, context, ownName, current)
          } else {
            unsafe calls[index].began = SystemTime.monotonic().nanosecondsSinceBoot
          }
          if index > range.lowerBound { unsafe calls[index - 1].ended = calls[index].began }
        }
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

  /// Returns the end of a call that was made, with its times, and the plugin's messages meanwhile in their order.
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
    unsafe contexts.removeAll(keepingCapacity: keepsRoom)
    instances.removeAll(keepingCapacity: keepsRoom)
    if !failures.isEmpty { failures = [:] }
    if !extras.isEmpty { extras = [:] }
    if !saidInOpen.isEmpty { saidInOpen = [:] }
    if !heard.isEmpty { heard = [:] }
    keys.removeAll()
    calledCount = 0
  }
}
