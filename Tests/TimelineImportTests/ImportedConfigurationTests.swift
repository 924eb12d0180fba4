import Testing
import TimelineConfiguration
import TimelineCore

@testable import TimelineImport

/// Configurations that imports write, read as `timelinectl check` reads it.
struct ImportedConfigurationTests {
  @Test(
    arguments: [
      "CRON_TZ=Europe/Berln\n0 1 * * * x", "CRON_TZ=CET-1CEST\n0 1 * * * x", "CRON_TZ=:UTC\n0 1 * * * x",
      "CRON_TZ=\"\"\n0 1 * * * x", "TZ=nowhere\n0 1 * * * x", "0 0 13 2-3 1-5 x", "0 0 31 2 * x",
      "~ * * * * x", "0 0 1 nov * x", "0 2 * * 6-7 x", "@reboot x", "@weekly x", "0 1 * * ? * x",
      "\(String(repeating: "A=\(String(repeating: "b", count: 900))\n", count: 3))0 1 * * * x",
      "\((0..<300).map { "A\($0)=b\n" }.joined())0 1 * * * x",
      "\((0..<60).map { "A\($0)=\(String(repeating: "b", count: 900))\n" }.joined())0 1 * * * x",
    ], CronProgram.allCases)
  func `no job of a crontab is refused`(text: String, program: CronProgram) {
    #expect(CronProgramTests.made(text, program).file.errors.isEmpty)
  }

  @Test(
    arguments: [
      "OnCalendar=08:00 Europe/Berln\nOnCalendar=09:00", "OnCalendar=08:00 daily", "OnCalendar=2020-01-01",
      "OnCalendar=08:00 UTC", "OnCalendar=*-02-31", "OnBootSec=150y", "OnUnitActiveSec=10us",
      "OnUnitActiveSec=2ms", "OnBootSec=1us\nOnUnitActiveSec=1h", "OnCalendar=daily\nRandomizedDelaySec=150y",
      "OnCalendar=daily\nRandomizedDelaySec=1us\nFixedRandomDelay=yes",
      "OnBootSec=0\nOnStartupSec=0\nPersistent=yes", "OnCalendar=minutely\nRandomizedDelaySec=1d",
      (0..<100).map { "OnCalendar=*-*-* *:\($0 % 60):\($0 / 60)" }.joined(separator: "\n"),
    ])
  func `no job of a timer is refused`(settings: String) {
    #expect(Self.made(timer: settings, service: "ExecStart=/bin/true").errors.isEmpty)
  }

  @Test(
    arguments: [
      "UMask=7", "UMask=0", "UMask=00022", "Nice=-20", "LimitNOFILE=1", "LimitNOFILE=99999999",
      "LimitAS=1M", "LimitAS=1G", "LimitAS=999999999T", "TimeoutSec=150y", "RuntimeMaxSec=1us",
      "Type=oneshot\nTimeoutStartSec=5\nTimeoutStopSec=150y", "MemoryMax=1M", "User=ada\nGroup=www-data",
      "SuccessExitStatus=300", "SuccessExitStatus=3 SIGTERM", "WorkingDirectory=/a/../b", "Environment=A=",
      "EnvironmentFile=relative", "EnvironmentFile=-/etc/../x", "LoadCredential=a b:/c",
      "LoadCredential=a:/c/",
      "Description=x", "ExecStartPre=-/bin/a", "ExecStart=relative \"a b\"",
      "Environment=\((0..<300).map { "A\($0)=b" }.joined(separator: " "))",
    ])
  func `no job of a service is refused`(setting: String) {
    #expect(Self.made(timer: "OnCalendar=daily", service: "ExecStart=/bin/true\n\(setting)").errors.isEmpty)
  }

  private static func made(timer: String, service: String) -> ImportedFile {
    let units = [("timer", "[Timer]\n\(timer)\n"), ("service", "[Service]\n\(service)\n")].map {
      UnitFile(name: "a.\($0)", parts: [.init(path: "/a.\($0)", text: $1)])
    }
    return TimerImport([TimerSource(timer: units[0], service: units[1])], in: .village).file
  }
}

extension ImportedFile {
  /// Errors of the configuration, on the machine of the import.
  var errors: [String] {
    let context = ConfigurationContext(zone: { name in
      ImportContext.village.isZone(name) ? Zone(standingInFor: name) : nil
    })
    let source = ConfigurationSource(path: "/srv/imported.toml", bytes: Array(text(schema: "/schema").utf8))
    switch Configuration.read([source], in: context) {
    case .success: return []
    case .failure(let refusal):
      return refusal.diagnostics.filter { $0.severity == .error }.map { "\($0.place): \($0.message)" }
    }
  }
}
