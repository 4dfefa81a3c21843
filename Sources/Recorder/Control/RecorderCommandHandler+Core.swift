import Replaying
import Synchronization
import Timelines

/// The recorder's core, for those that are made before it.
final class FoundCore: Sendable {
  private struct Reference: Sendable {
    weak var core: RecorderCore?
  }

  private let reference = ForkSafeMutex(Reference())

  /// The core, while it is there.
  var core: RecorderCore? { reference.withLock { $0.core } }

  /// Says which it is.
  func set(_ core: RecorderCore) { reference.withLock { $0.core = core } }
}

extension RecorderCommandHandler {
  /// A handler for a recorder of these options.
  convenience init(_ options: RecorderOptions, _ found: FoundCore) {
    let host: (any ReducerRunner)? =
      if options.host == .never {
        nil
      } else {
        HostChoice.runner(allowsLive: options.host == .anywhere) {
          (found.core?.replays ?? []).map { declared in
            var replay = declared
            replay.redaction = declared.redaction + options.redaction
            return replay
          }
        }
      }
    let control = ControlCenter(isAllowed: options.allowsControl) { timeline in
      found.core?.machine(of: timeline)
    }
    self.init(host: host, control: control) { capture, answer in
      // Where nothing is said, what the app's options say holds again.
      let isSaid = capture.allow != nil || capture.deny != nil
      let filter =
        isSaid
        ? EventFilter(allow: capture.allow.map(Set.init), deny: Set(capture.deny ?? [])) : nil
      guard let timeline = capture.timeline else {
        found.core?.setFilter(filter ?? options.events)
        return answer.done()
      }
      guard let machine = found.core?.machine(of: timeline) else {
        return answer.error(
          .notFound, "This app records no timeline \(timeline.text).", timeline: timeline)
      }
      machine.filter = filter
      answer.done()
    }
  }
}
