extension Control {
  /// Runs a decided entry of a job's schedule again, as an entry of its own.
  package struct Rerun: ChangingCall {
    /// Replies as to `Trigger`, with the entry that is repeated.
    package typealias Reply = TriggerReply

    package var job: String
    /// Moment of the entry, as text such as `yesterday 02:30`.
    package var moment: String

    package init(job: String, moment: String) {
      self.job = job
      self.moment = moment
    }
  }
}
