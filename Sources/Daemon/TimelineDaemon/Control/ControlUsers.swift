import TimelineCore
import TimelineSystem

/// Users who may change something, by the user numbers that the kernel reports for peers.
///
/// The names in a configuration are looked up on a separate thread when the configuration is read, because a name service may
/// be slow or hang. Until the name service has answered, users who were found before and are still named keep their rights.
final class ControlUsers {
  /// Directory of users: finds a number by its name and a name by its number.
  struct Directory: Sendable {
    var number: @Sendable (_ name: String) -> Result<UInt32, SystemError>
    var name: @Sendable (_ number: UInt32) -> String?

    /// The user databases of the machine.
    static let system = Directory(
      number: { name in
        do throws(SystemError) { return .success(try UserRecord(named: name).user) } catch {
          return .failure(error)
        }
      },
      name: { number in try? UserRecord(numbered: number).name })
  }

  /// The result of a look-up.
  private struct Found: Sendable {
    var users: [(name: String, number: Result<UInt32, SystemError>)]
    var own: String?
  }

  private let loop: EventLoop
  private let announcer: Announcer
  private let directory: Directory
  private let own: UInt32
  private var ownName: String?
  private var numbers: [UInt32: String] = [:]
  private var wanted: [String] = []
  private var work: DetachedWork<Found>?
  private var isOutdated = false
  private var waiting: [() -> Void] = []
  private var complaint: Delay?

  /// Time after which an unfinished look-up is reported.
  private static let patience = ElapsedTime.seconds(10)

  init(loop: EventLoop, announcer: Announcer, directory: Directory = .system) {
    self.loop = loop
    self.announcer = announcer
    self.directory = directory
    own = CurrentProcess.effectiveUser
  }

  /// Whether a user may change something.
  func contains(_ user: UInt32) -> Bool { user == 0 || user == own || numbers[user] != nil }

  /// Returns the name of a user; `nil` if the name needs a look-up.
  func name(of user: UInt32) -> String? {
    if user == 0 { return "root" }
    return user == own ? ownName : numbers[user]
  }

  /// Adopts the names of a configuration. Calls `completion` when the names have been looked up. Users who are no longer named
  /// lose their rights at once.
  func adopt(_ names: [String], completion: @escaping () -> Void = {}) {
    wanted = names
    numbers = numbers.filter { names.contains($0.value) }
    if work == nil, names.isEmpty, own == 0 || ownName != nil { return completion() }
    waiting.append(completion)
    guard work == nil else {
      isOutdated = true
      return
    }
    begin()
  }

  private func begin() {
    let (names, own, directory) = (wanted, own, directory)
    isOutdated = false
    do throws(SystemError) {
      work = try DetachedWork(name: "timeline-users", loop: loop) {
        Found(
          users: names.map { (name: $0, number: directory.number($0)) },
          own: own == 0 ? nil : directory.name(own)
        )
      } completion: { [weak self] found in
        self?.take(found)
      }
    } catch {
      announcer.announce(.error, "control.users: the users cannot be looked up: \(error)")
      return finish()
    }
    complaint?.cancel()
    complaint = loop.after(Self.patience) { [weak self] in
      self?.announcer.announce(
        .warning,
        "control.users: the name service has not answered for \(Self.patience): users whom it has not named yet may only read"
      )
    }
  }

  private func take(_ found: Found) {
    work = nil
    complaint?.cancel()
    complaint = nil
    ownName = found.own ?? ownName
    if isOutdated { return begin() }
    numbers = [:]
    for (name, number) in found.users {
      switch number {
      case .success(let number): numbers[number] = name
      case .failure(let error):
        announcer.announce(
          .warning,
          error.isMissing
            ? "control.users: there is no user \"\(name)\": create it, or correct the name"
            : "control.users: the user \"\(name)\" cannot be looked up: \(error.plainReason)")
      }
    }
    finish()
  }

  private func finish() {
    let waiting = waiting
    self.waiting = []
    for completion in waiting { completion() }
  }
}
