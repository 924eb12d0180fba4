import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// State of the machine on which the mode may depend.
struct MachineReading: Sendable, Equatable {
  /// Name of the battery that the machine runs on; `nil` for none.
  var battery: String?
  /// Pressure in hundredths of a percent, by resource; without the resources that could not be read.
  var pressure: [PressureResource: Int] = [:]
  /// Reasons why resources could not be read.
  var complaints: [String] = []

  /// Reads the state that the conditions need. To be called on a separate thread, because a battery may be slow to answer.
  ///
  /// `root` is put before the kernel's paths; empty except in tests.
  static func read(for conditions: LowFrequencySettings, below root: String) -> MachineReading {
    var reading = MachineReading()
    if conditions.isForBattery {
      reading.battery = PowerSupplies.batteryInUse(in: root + PowerSupplies.directory)
    }
    for resource in PressureResource.allCases where conditions.thresholds[resource] != nil {
      do throws(SystemError) {
        reading.pressure[resource] = try PressureFile.share(of: resource, in: root + PressureFile.directory)
      } catch {
        reading.complaints.append("\(error)")
      }
    }
    return reading
  }
}
