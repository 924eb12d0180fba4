import TimelineCore

/// Watermark and cursor of a job after several changes, written once for all of them.
struct JobProgress {
  private(set) var watermark: WallInstant?
  private(set) var cursor: [UInt8]?

  init(watermark: WallInstant? = nil) { self.watermark = watermark }

  mutating func add(_ watermark: WallInstant?, _ cursor: [UInt8]?) {
    if let watermark { self.watermark = max(self.watermark ?? watermark, watermark) }
    if let cursor { self.cursor = cursor }
  }

  func write(of job: JobName, to database: Database) throws(LedgerError) {
    if let cursor {
      try database.run(.cursor, [job.value, .blob(cursor), .instant(watermark)])
    } else {
      try database.run(.raiseWatermark, [job.value, .instant(watermark)])
    }
  }
}
