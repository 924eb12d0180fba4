import Foundation
import Testing
import TimelineCore
import TimelineSystem

@Suite struct `The load of the machine` {
  static let files: [(text: String, share: Int?)] = [
    ("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", 0),
    ("some avg10=12.34 avg60=1.00 avg300=0.50 total=123456\n", 1_234),
    (
      "full avg10=50.00 avg60=1.00 avg300=0.50 total=1\nsome avg10=7.05 avg60=1.00 avg300=0.50 total=9\n", 705
    ),
    ("some avg10=100.00 avg60=99.99 avg300=99.99 total=1\n", 10_000),
    ("some avg10=100.50 avg60=99.99 avg300=99.99 total=1\n", 10_000),
    ("", nil), ("full avg10=1.00\n", nil), ("some avg10=abc avg60=0.00\n", nil), ("some avg60=1.00\n", nil),
    ("some avg10=-1.00\n", nil), ("some avg10=1\n", nil), ("some avg10=1.0\n", nil),
    ("some avg10=101.00\n", nil),
  ]

  @Test(arguments: files.indices)
  func `pressure is the share of the last ten seconds`(index: Int) throws {
    #expect(PressureFile.share(in: Self.files[index].text) == Self.files[index].share)
  }

  @Test func `a file that is missing or has no value is an error with its path`() throws {
    let directory = try TestDirectory()
    let missing = #expect(throws: SystemError.self) { try PressureFile.share(of: .io, in: directory.path) }
    #expect(missing?.isMissing == true && missing?.subject == "\(directory.path)/io")
    try Data("nothing\n".utf8).write(to: URL(filePath: "\(directory.path)/cpu"))
    let empty = #expect(throws: SystemError.self) { try PressureFile.share(of: .cpu, in: directory.path) }
    #expect("\(try #require(empty))".contains("some avg10="))
  }

  /// Supplies with their files, and the battery that the machine runs on.
  static let machines: [(supplies: [String: [String: String]], battery: String?)] = [
    ([:], nil),
    (["AC": ["type": "Mains", "online": "1"]], nil),
    (["BAT0": ["type": "Battery", "status": "Discharging"]], "BAT0"),
    (
      ["AC": ["type": "Mains", "online": "0"], "BAT0": ["type": "Battery", "status": "Discharging"]], "BAT0"
    ),
    (["AC": ["type": "Mains", "online": "1"], "BAT0": ["type": "Battery", "status": "Discharging"]], nil),
    (
      ["BAT1": ["type": "Battery", "status": "Discharging"], "ucsi": ["type": "USB", "online": "1"]], nil
    ),
    (["BAT0": ["type": "Battery", "status": "Charging"]], nil),
    (["BAT0": ["type": "Battery", "status": "Full"], "BAT1": ["type": "Battery"]], nil),
    (
      [
        "BAT0": ["type": "Battery", "status": "Unknown"],
        "BAT1": ["type": "Battery", "status": "Discharging"],
      ], "BAT1"
    ),
    (["mouse": ["type": "Battery", "status": "Discharging", "scope": "Device"]], nil),
    (
      [
        "mouse": ["type": "USB", "online": "1", "scope": "Device"],
        "BAT0": ["type": "Battery", "status": "Discharging"],
      ], "BAT0"
    ),
    (
      ["dock": ["type": "USB", "online": "2"], "BAT0": ["type": "Battery", "status": "Discharging"]], nil
    ),
    (["dock": ["type": "USB"], "BAT0": ["type": "Battery", "status": "Discharging"]], "BAT0"),
    (["odd": ["online": "1"], "BAT0": ["type": "Battery", "status": "Discharging"]], "BAT0"),
  ]

  @Test(arguments: machines.indices)
  func `a machine is on battery if one discharges and nothing else is online`(index: Int) throws {
    let directory = try TestDirectory()
    for (name, files) in Self.machines[index].supplies {
      try FileManager.default.createDirectory(
        atPath: "\(directory.path)/\(name)", withIntermediateDirectories: false)
      for (file, word) in files {
        try Data((word + "\n").utf8).write(to: URL(filePath: "\(directory.path)/\(name)/\(file)"))
      }
    }
    #expect(PowerSupplies.batteryInUse(in: directory.path) == Self.machines[index].battery)
  }

  @Test func `a machine without power supplies is on mains`() {
    #expect(PowerSupplies.batteryInUse(in: "/nonexistent") == nil)
  }
}
