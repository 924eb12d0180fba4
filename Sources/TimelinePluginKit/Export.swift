internal import CTimelinePlugin

/// Makes the plugin's table for the host: the one line of a library's entry function, as ``TimelinePlugin`` shows it.
///
/// The table and its texts are made once and never freed: they must live as long as the process. Each instance is in
/// a box of its own which the host holds, so nothing here is global.
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
