internal import TimelineJSON
internal import TimelineWire

/// `timeline-host --describe`: a plugin's description of itself, for `timelinectl plugin inspect` and `check`.
enum Description {
  /// Prints one line of JSON, or the refusal on standard error; returns the process's status.
  static func print(of file: String, as user: String?, _ enterSandbox: SandboxFunction) -> CInt {
    do {
      // Output of the library while it is loaded must not end up in the JSON.
      let output = HostSystem.redirectOutputToErrors()
      let plugin = try load(file, as: user, enterSandbox)
      HostSystem.restoreOutput(output)
      Swift.print(try json(file, plugin.description))
      return HostExitStatus.success
    } catch {
      HostSystem.complain("timeline-host: \(error)")
      return HostExitStatus.failure
    }
  }

  /// Loads a plugin in the same way as the daemon; a relative path is relative to the working directory.
  static func load(
    _ file: String, as user: String?, _ enterSandbox: SandboxFunction
  ) throws(Refusal) -> LoadedPlugin {
    // A plugin that calls exit() before it is described must not cause a status of 0.
    PluginExitGuard.notice { status in
      HostSystem.complain(
        "timeline-host: \(file): the plugin called exit(\(status)); it must leave that to the host")
      HostSystem.exitNow(HostExitStatus.failure)
    }
    let path = file.hasPrefix("/") ? file : HostSystem.workingDirectory + "/" + file
    let request: LoadRequest
    do {
      request = try LoadRequest(path: path, user: user)
    } catch {
      throw Refusal(file: path, reason: "\(error)", remedy: "give a shorter one")
    }
    try HostSandbox.prepare(for: request, enterSandbox)
    return try LoadedPlugin(path: path)
  }

  /// The JSON text. Its keys are part of the stable output of `timelinectl plugin inspect --json`: keys are added, but not
  /// changed or removed.
  static func json(_ file: String, _ plugin: PluginDescription) throws(Refusal) -> String {
    let abi: [(key: String, value: JSONValue)] = [
      ("newest", .integer(Int64(plugin.abiNewest))), ("oldest", .integer(Int64(plugin.abiOldest))),
    ]
    let members: [(key: String, value: JSONValue)] = [
      ("abi", .object(JSONObject(abi))), ("file", .string(file)), ("name", .string(plugin.name)),
      ("parametersSchema", try schema(file, plugin)), ("summary", .string(plugin.summary)),
      ("version", .string(plugin.version)),
    ]
    return JSONValue.object(JSONObject(members)).description
  }

  private static func schema(_ file: String, _ plugin: PluginDescription) throws(Refusal) -> JSONValue {
    guard let text = plugin.parametersSchema else { return .null }
    let reason: String
    do throws(JSONError) {
      let value = try JSONValue(parsing: text)
      if case .object = value { return value }
      reason = "it is JSON, but not an object"
    } catch {
      reason = error.description
    }
    throw Refusal(
      file: file, reason: "expected parameters_schema to be a JSON object, and it is not: \(reason)",
      remedy: "fix the schema, or set it to NULL")
  }
}
