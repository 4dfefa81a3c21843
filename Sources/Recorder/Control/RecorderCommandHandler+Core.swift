import Replaying
import Synchronization
import Timelines
import Wire

/// A reference to the recorder's core, for objects that are created before it.
final class CoreReference: Sendable {
  private struct Reference: Sendable {
    weak var core: RecorderCore?
  }

  private let reference = ForkSafeMutex(Reference())

  /// The core, while it exists.
  var core: RecorderCore? { reference.withLock { $0.core } }

  func set(_ core: RecorderCore) { reference.withLock { $0.core = core } }
}

extension RecorderCommandHandler {
  /// Creates a handler for a recorder with these options.
  convenience init(_ options: RecorderOptions, _ reference: CoreReference) {
    let host: (any ReducerRunner)? =
      if options.host == .never {
        nil
      } else {
        HostChoice.runner(allowsLive: options.host == .anywhere) {
          (reference.core?.replays ?? []).map { declared in
            var replay = declared
            replay.redaction = declared.redaction + options.redaction
            return replay
          }
        }
      }
    let control = ControlCenter(isAllowed: options.allowsControl) { timeline in
      reference.core?.machine(of: timeline)
    }
    self.init(host: host, control: control) { capture, answer in
      // Without names, the filter of the app's options applies again.
      let isSaid = capture.allow != nil || capture.deny != nil
      let filter =
        isSaid
        ? EventFilter(allow: capture.allow.map(Set.init), deny: Set(capture.deny ?? [])) : nil
      guard let timeline = capture.timeline else {
        reference.core?.setFilter(filter ?? options.events)
        return answer.done()
      }
      guard let machine = reference.core?.machine(of: timeline) else {
        return answer.error(
          .notFound, "This app records no timeline \(timeline.text).", timeline: timeline)
      }
      machine.filter = filter
      answer.done()
    }
  }
}
