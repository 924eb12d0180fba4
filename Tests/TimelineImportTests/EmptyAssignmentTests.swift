import Testing
import TimelineCore

@testable import TimelineImport

/// Assignments without a value as systemd 252 has them, by `systemd --test`.
struct EmptyAssignmentTests {
  private static func unit(_ section: String, _ lines: String) -> UnitFile {
    UnitFile(name: "a.service", parts: [.init(path: "/a", text: "[\(section)]\n\(lines)\n")])
  }

  @Test(
    arguments: [
      "Timer RandomizedDelaySec=10m", "Timer RandomizedOffsetSec=1h", "Timer AccuracySec=5s",
      "Timer Persistent=yes", "Timer FixedRandomDelay=yes", "Timer WakeSystem=yes",
      "Timer RemainAfterElapse=no", "Timer OnClockChange=yes", "Timer OnTimezoneChange=yes",
      "Timer DeferReactivation=yes", "Timer Unit=b.service", "Service Type=oneshot", "Service UMask=0077",
      "Service NoNewPrivileges=yes", "Service Restart=no", "Service RuntimeMaxSec=62",
      "Service TimeoutStartSec=60", "Service TimeoutStopSec=61", "Service TimeoutSec=3",
      "Service LimitNOFILE=100", "Service LimitAS=1G", "Service StandardOutput=null",
      "Service StandardError=null", "Unit OnFailure=f.service", "Unit OnSuccess=f.service",
    ])
  func `systemd ignores the empty value`(row: String) throws {
    let (section, setting) = (row.split(separator: " ")[0], row.split(separator: " ")[1])
    let (key, value) = (setting.split(separator: "=")[0], String(setting.split(separator: "=")[1]))
    let unit = Self.unit(String(section), "\(setting)\n\(key)=")
    #expect(unit.value(String(section), String(key)) == value)
    #expect(unit.list(String(section), String(key)) == [value])
    let remark = unit.remark(onIgnored: try #require(unit.settings.last))
    #expect(remark == "systemd ignores an empty \(key)=: `\(value)` stays")
  }

  @Test(
    arguments: [
      "User=ada", "Group=ada", "WorkingDirectory=/tmp", "Environment=A=b", "EnvironmentFile=/e",
      "LoadCredential=a:/b", "Nice=5", "IOSchedulingClass=idle", "IOSchedulingPriority=3",
      "KillMode=process", "MemoryMax=1G", "TasksMax=20", "CPUQuota=20%", "SuccessExitStatus=5",
      "SystemCallFilter=read", "ExecStart=/bin/true", "ExecStartPre=/bin/true", "ExecCondition=/bin/true",
    ])
  func `the empty value resets the setting`(setting: String) throws {
    let key = String(setting.split(separator: "=")[0])
    let unit = Self.unit("Service", "\(setting)\n\(key)=")
    #expect(unit.value("Service", key) == nil && unit.list("Service", key).isEmpty)
    #expect(unit.remark(onIgnored: try #require(unit.settings.last)) == nil)
  }

  @Test func `an empty value resets what belongs together`() {
    let io = Self.unit("Service", "IOSchedulingClass=idle\nIOSchedulingPriority=3\nIOSchedulingPriority=")
    #expect(io.value("Service", "IOSchedulingClass") == nil)
    let conditions = Self.unit("Unit", "ConditionPathExists=/a\nConditionACPower=yes\nConditionPathExists=")
    #expect(UnitConditions(conditions).tests.isEmpty)
    #expect(TimerSchedule(Self.unit("Timer", "OnCalendar=daily\nOnBootSec="), in: .village).text == nil)
  }

  @Test func `a value that systemd cannot read leaves the one above`() {
    let unit = Self.unit(
      "Timer", "Persistent=yes\nPersistent=maybe\nRandomizedDelaySec=5m\nRandomizedDelaySec=soon")
    #expect(unit.isTrue("Timer", "Persistent"))
    #expect(unit.span("Timer", "RandomizedDelaySec") == .seconds(300))
  }

  @Test func `the first unit of a timer holds, and the last of two timeouts`() throws {
    let timer = Self.unit("Timer", "Unit=a.service\nUnit=b.service")
    #expect(TimerSource.startedUnit(of: timer, in: .village) == "a.service")
    #expect(
      timer.remark(onIgnored: try #require(timer.settings.last))
        == "systemd ignores a further Unit=: `a.service` stays")
    let service = Self.unit("Service", "TimeoutStartSec=60\nTimeoutSec=90")
    #expect(service.setting("Service", "TimeoutStartSec", "TimeoutSec")?.value == "90")
  }

  /// Lines of `[Timer]`; the schedule, and the notes about the last line.
  @Test(
    arguments: [
      (
        "OnCalendar=daily\nRandomizedOffsetSec=1h",
        "{ calendar = \"daily\", jitter = \"1h\", offset = \"hash\" }",
        ["systemd reads it since version 258, and an older one ignores it"]
      ),
      (
        "OnCalendar=daily\nRandomizedDelaySec=5m\nRandomizedOffsetSec=1h",
        "{ calendar = \"daily\", jitter = \"1h5m\" }",
        [
          "the fixed delay and that of RandomizedDelaySec= are one delay, drawn for each entry",
          "systemd reads it since version 258, and an older one ignores it",
        ]
      ),
      (
        "OnClockChange=yes", nil,
        ["a change of the clock or of its zone is no entry of a schedule: keep a timer for it"]
      ),
      ("OnClockChange=no", nil, []),
      (
        "OnCalendar=09:00\nOnCalendar=08:00 Europe/Berln", "{ calendar = \"09:00\" }",
        [
          "`08:00 Europe/Berln`: there is no time zone \"Europe/Berln\": did you mean \"Europe/Berlin\"?"
        ]
      ),
      (
        "OnCalendar=08:00 daily", nil,
        [
          "`08:00 daily`: there is no time zone \"daily\": `timedatectl list-timezones` has them all"
        ]
      ),
      (
        "OnBootSec=5m\nOnBootSec=150y", "{ cron = \"@reboot\", delay = \"5m\" }",
        ["a job has at most 36525d: shorten it"]
      ),
      (
        "OnBootSec=5m\nOnUnitActiveSec=5us", "{ cron = \"@reboot\", delay = \"5m\" }",
        ["a job has at least 1ms: lengthen it"]
      ),
      (
        "OnCalendar=*/5 * * * *", nil,
        [
          "`*/5 * * * *` is not a calendar rule: \"*\" stands alone; a list or a step begins with a number: it is a cron rule: { cron = \"*/5 * * * *\" }"
        ]
      ),
      (
        "OnCalendar=09:00 Mon", nil,
        [
          "`09:00 Mon` is not a calendar rule: the day of the week stands in front of date and time: did you mean \"Mon 09:00\"?"
        ]
      ),
    ] as [(String, String?, [String])])
  func `a timer becomes a schedule with notes`(lines: String, schedule: String?, notes: [String]) throws {
    let timer = Self.unit("Timer", lines)
    let made = TimerSchedule(timer, in: .village)
    let last = try #require(timer.settings.last)
    let found = (made.differences + made.refusals + made.remarks).filter { $0.setting == last }.map(\.note)
    #expect(made.text == schedule)
    #expect(found == notes)
  }

  @Test(
    arguments: [
      ("OnCalendar=daily", "\"buffer-one\""), ("OnCalendar=daily\nDeferReactivation=yes", nil),
      ("OnBootSec=5m", nil),
    ] as [(String, String?)])
  func `what falls due during a run starts at its end, unless it is deferred`(lines: String, overlap: String?)
    throws
  {
    let timer = UnitFile(name: "a.timer", parts: [.init(path: "/a", text: "[Timer]\n\(lines)\n")])
    let made = TimerImport([TimerSource(timer: timer, service: nil)], in: .village)
    #expect(try #require(made.file.jobs.first).values["overlap"] == overlap)
  }
}
