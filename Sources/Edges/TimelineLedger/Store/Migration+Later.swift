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
        """)
  ]
}
