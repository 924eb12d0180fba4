import TimelineCore

/// Watermark and cursor of a job after several changes, written once for all of them.
struct JobProgress {
  private(set) var stand: WallInstant?
  private(set) var cursor: [UInt8]?

  init(stand: WallInstant? = nil) { self.stand = stand }

  mutating func add(_ stand: WallInstant?, _ cursor: [UInt8]?) {
    if let stand { self.stand = max(self.stand ?? stand, stand) }
    if let cursor { self.cursor = cursor }
  }

  func write(of job: JobName, to database: Database) throws(LedgerError) {
    if let cursor {
      try database.run(.cursor, [job.value, .blob(cursor), .instant(stand)])
    } else {
      try database.run(.stand, [job.value, .instant(stand)])
    }
  }
}
