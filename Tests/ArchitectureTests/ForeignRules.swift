extension Rule {
  /// A name service, a bus and a disk may be far away and may hang, so that the daemon's one loop must not call them.
  ///
  /// Each C function has one wrapper. `UserRecord`, the wrapper of the databases of users and groups, is for programs other than the
  /// daemon and for work on a separate thread; so is the query of systemd.
  static let foreignServices = Rule(
    name:
      "Name services, buses and the disks of plugins are asked through their doors, and never on the daemon's loop"
  ) { tree in
    let doors: [(pattern: String, files: [String])] = [
      (
        #"\b(?:getpw(?:nam|uid|ent)|getgr(?:nam|gid|ent)|getgrouplist|initgroups|getaddrinfo|gethostby\w+|getnameinfo)(?:_r)?\b"#,
        [
          "Sources/Edges/TimelineSystem/Users/GroupRecord.swift",
          "Sources/Edges/TimelineSystem/Users/UserRecord.swift",
          "Sources/Plugins/TimelineHosting/", "Sources/Edges/CTimelineSystem/",
        ]
      ),
      (
        #"\bsd_bus_\w+"#,
        [
          "Sources/Edges/TimelineSystemd/OwnSystemdSocket.swift",
          "Sources/Edges/TimelineSystemd/OwnSystemdUnit.swift",
          "Sources/Edges/TimelineSystemd/SystemdManager.swift",
          "Sources/Edges/TimelineSystemd/SystemdTimers.swift",
        ]
      ),
      (#"\bsd_(?:pid_)?notify\w*|\bsd_journal_\w+"#, ["Sources/Edges/TimelineSystemd/"]),
      (
        #"\bUserRecord\b"#,
        [
          "Sources/Edges/TimelineSystem/", "Sources/Plugins/TimelineHosting/",
          "Sources/Daemon/TimelineLoading/",
          "Sources/Tools/timelinectl/",
          // On a thread of its own, except for the group of the socket, which the start needs.
          "Sources/Daemon/TimelineDaemon/Control/ControlUsers.swift",
          "Sources/Daemon/TimelineDaemon/Control/ControlService.swift",
          "Sources/Daemon/TimelineDaemon/Control/ControlService+Socket.swift",
        ]
      ),
      (
        #"\bOwnSystemdUnit\.ask\b|\bOwnSystemdSocket\.\w+\(|\bCronActivity\.look\b|\bimportConflicts\(|\bloader\.(?:read|locate|refreshZones|crontabs)\b"#,
        [
          // Both before the loop's first turn, or within a DetachedWork.
          "Sources/Daemon/TimelineDaemon/Program/DaemonMain.swift",
          "Sources/Daemon/TimelineDaemon/Loop/Stopping.swift",
          "Sources/Daemon/TimelineDaemon/Control/ControlService+Socket.swift",
          // A process of its own.
          "Sources/Daemon/TimelineDaemon/Program/ServiceEnd.swift",
          "Sources/Daemon/TimelineDaemon/Reload/Reloader.swift",
          "Sources/Daemon/TimelineDaemon/Loop/ZoneMonitor.swift",
          "Sources/Daemon/TimelineDaemon/Cron/CronMonitor.swift", "Sources/Tools/timelinectl/",
          "Sources/Daemon/TimelineLoading/ImportOrigins.swift",
        ]
      ),
      (
        #"\bFileFacts\(|\bPluginFiles\(of|\bCurrentProcess\.(?:realPath|normalizedPath)\b"#,
        [
          "Sources/Edges/TimelineSystem/", "Sources/Plugins/TimelineHosting/",
          "Sources/Daemon/TimelineLoading/",
          "Sources/Tools/timelinectl/", "Sources/Tools/timelined-web/",
          // Before the loop's first turn, or within a DetachedWork.
          "Sources/Daemon/TimelineDaemon/Program/DaemonOptions.swift",
          "Sources/Daemon/TimelineDaemon/Program/StateDirectory.swift",
          "Sources/Plugins/TimelineHostPool/Files/PluginFiles.swift",
          "Sources/Plugins/TimelineHostPool/Files/PluginSearch.swift",
        ]
      ),
    ]
    var violations: [Violation] = []
    for (text, files) in doors {
      let pattern = try Pattern(text)
      for file in tree.files
      where (file.isSwift || file.isC) && file.isSource && !file.isPlugin
        && !files.contains(where: { file.path.hasPrefix($0) })
      {
        violations += pattern.violations(in: file) {
          "'\($0[0])' may wait for somebody foreign: ask on a thread of its own (DetachedWork)"
        }
      }
    }
    return violations
  }
}

extension Planted {
  static let foreignServices: [Planted] = [
    Planted(
      .foreignServices, at: "Sources/Daemon/TimelineDaemon/Control/ControlConnection.swift",
      "let a = try? UserRecord(numbered: 7)\n// UserRecord\nlet b = getpwuid_r(1)\nsd_bus_open_system(&bus)",
      lines: [3, 4, 1]),
    Planted(
      .foreignServices, at: "Sources/Daemon/TimelineDaemon/Loop/Daemon.swift",
      "let unit = OwnSystemdUnit.ask()\nlet c = try loader.read()\nlet d = CronActivity.look(below: root)\nread.importConflicts(below: root)",
      lines: [1, 2, 3, 4]),
    Planted(
      .foreignServices, at: "Sources/Plugins/TimelineHostPool/Hosts/HostProcess.swift",
      "let a = try? FileFacts(at: path)\nlet b = facts\nlet c = PluginFiles(of: kinds)\nCurrentProcess.realPath(path)",
      lines: [1, 3, 4]),
    Planted(
      .foreignServices, at: "Sources/Edges/TimelineSystemd/OwnSystemdUnit.swift", "sd_bus_open_system(&bus)"),
  ]
}
