import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// State of the machine as far as the mode depends on it.
struct MachineReading: Sendable, Equatable {
  /// Name of the battery that the machine runs on; `nil` for none.
  var battery: String?
  /// Pressure in hundredths of a percent, by resource; none of a resource that could not be read.
  var pressure: [PressureResource: Int] = [:]
  /// Reasons why resources could not be read.
  var complaints: [String] = []

  /// Reads what the conditions need; to be called on a thread of its own, for a battery may be slow to answer.
  ///
  /// `root` is put before the kernel's paths; empty but for tests.
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
