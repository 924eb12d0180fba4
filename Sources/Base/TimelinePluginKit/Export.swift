internal import CTimelinePlugin

/// Makes the plugin's table for the host. It is the only line of a library's entry function; ``TimelinePlugin`` has an
/// example.
///
/// The table and its texts are made once and never freed, because they must be valid as long as the process exists. Each
/// instance is in a box of its own that the host holds, so there is no global state.
public func export<Plugin: TimelinePlugin>(_ plugin: Plugin.Type, to host: UnsafeRawPointer?)
  -> UnsafeRawPointer?
{
  let type = UnsafeMutablePointer<any TimelinePlugin.Type>.allocate(capacity: 1)
  unsafe type.initialize(to: plugin)
  let table = UnsafeMutablePointer<timelined_plugin>.allocate(capacity: 1)
  unsafe table.initialize(
    to: timelined_plugin(
      struct_size: UInt32(MemoryLayout<timelined_plugin>.size), abi_oldest: UInt32(TIMELINED_ABI_OLDEST),
      abi_newest: UInt32(TIMELINED_ABI_NEWEST), reserved: 0, name: copy(plugin.name),
      version: copy(plugin.version), summary: copy(plugin.summary),
      parameters_schema: plugin.parametersSchema.flatMap { unsafe copy($0) }, data: type,
      open: { unsafe Instance.open($0, $1) }, run: { unsafe Instance.run($0, $1) },
      cancel: { instance, _ in unsafe Instance.cancel(instance) }, close: { unsafe Instance.close($0) },
      instances_max: UInt64(clamping: plugin.instancesMax)))
  return UnsafeRawPointer(table)
}
