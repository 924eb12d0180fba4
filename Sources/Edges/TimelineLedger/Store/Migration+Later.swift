extension Migration {
  /// The steps after those in the file of the type, oldest first.
  static let later = [
    // Apart from the entries, because a rerun is known before its entry has a row, and its number is used after the row is dropped.
    Migration(
      name: "18 reruns by the entries that they repeat",
      sql: """
        CREATE TABLE rerun (
          job TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          repeated INTEGER NOT NULL,
          number INTEGER NOT NULL CHECK (number >= 1),
          PRIMARY KEY (nominal, job)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rerun_repeated ON rerun (job, repeated, number);
        """),
    // A repetition has the number of its backfill, and a rerun none. Its outcome outlives its entry, which is dropped with other old ones.
    Migration(
      name: "19 backfills",
      sql: """
        ALTER TABLE rerun ADD COLUMN backfill INTEGER;
        ALTER TABLE rerun ADD COLUMN outcome TEXT;
        UPDATE rerun SET outcome =
          (SELECT outcome FROM entry WHERE entry.nominal = rerun.nominal AND entry.job = rerun.job);
        CREATE INDEX rerun_backfill ON rerun (backfill, repeated) WHERE backfill IS NOT NULL;
        CREATE TABLE backfill (
          number INTEGER PRIMARY KEY,
          job TEXT NOT NULL,
          schedule TEXT NOT NULL,
          first INTEGER NOT NULL,
          until INTEGER NOT NULL,
          outcomes TEXT NOT NULL,
          unrecorded INTEGER NOT NULL,
          newest_first INTEGER NOT NULL,
          parallel INTEGER NOT NULL,
          pace INTEGER NOT NULL,
          state TEXT NOT NULL,
          total INTEGER NOT NULL,
          left_out INTEGER NOT NULL,
          position INTEGER,
          succeeded INTEGER NOT NULL,
          failed INTEGER NOT NULL,
          last_failure INTEGER,
          user INTEGER NOT NULL,
          user_name TEXT,
          process INTEGER NOT NULL,
          program TEXT,
          requested_at INTEGER NOT NULL,
          ended_at INTEGER
        ) STRICT;
        """),
  ]
}
