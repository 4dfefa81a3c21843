import JSONCore
import Replaying
import StatesCore
package import Timelines

/// What one kind of machine does with commands.
///
/// It is used on the machine's isolation alone. Only what its kind can do is done; everything else
/// is a sentence.
package struct LiveControl: Sendable {
  /// What a command needs besides the machine.
  package struct Context {
    /// Says that the step of that number restores a moment.
    package var willRestore: (EntryReference, Int) -> Void
    /// The entry of a step.
    package var seq: (Int) -> Int64?
    /// Whether who holds the machine may still do so: asked by the machine, at any time.
    package var isHeld: @Sendable () -> Bool

    /// A context of these parts.
    package init(
      willRestore: @escaping (EntryReference, Int) -> Void, seq: @escaping (Int) -> Int64?,
      isHeld: @escaping @Sendable () -> Bool = { true }
    ) {
      self.willRestore = willRestore
      self.seq = seq
      self.isHeld = isHeld
    }
  }

  private let body: @Sendable (AnyObject, ControlAction, Context) -> ControlOutcome

  /// A control that does what the closure says.
  package init(_ body: @escaping @Sendable (AnyObject, ControlAction, Context) -> ControlOutcome) {
    self.body = body
  }

  /// Carries a command out.
  package func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: Context
  ) -> ControlOutcome {
    body(machine, action, context)
  }

  /// Where inputs of the inspector come from, in a recording.
  static let site = CallSite(file: "inspector", line: 0)
}

/// Why a command can not be carried out.
package struct ControlRefusal: Error {
  let code: ErrorCode
  let sentence: String
  let path: String?

  /// A refusal of these parts.
  package init(_ code: ErrorCode, _ sentence: String, path: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.path = path
  }

  /// What was sent is none of today's type.
  init(_ error: ReplayError, path: String) {
    self.init(.wrongValue, "\(error)", path: path)
  }

  /// What was sent holds a stand-in.
  init(standInAt pointer: Pointer, path: String) {
    self.init(
      .forbidden,
      """
      \(pointer) holds a stand-in for a redacted value, which must not get into a live app. \
      To fix, put a real value in its place.
      """, path: path)
  }
}

extension LiveControl {
  /// Carries a command out on a machine with a kernel: what its kind can read, it restores and
  /// dispatches.
  ///
  /// - Parameters:
  ///   - state: Reads a state, and refuses one that holds stand-ins.
  ///   - dispatch: Reads an event, and sends it also while held.
  static func perform<M: StateMachine>(
    _ action: ControlAction, on machine: M, _ context: Context,
    state: (JSONSlice) throws(ControlRefusal) -> M.State,
    dispatch: (JSONSlice) throws(ControlRefusal) -> SendAnswer
  ) -> ControlOutcome {
    let kernel = machine.kernel
    // Only somebody who polls from inside a reducer or an observer can get here so.
    guard !kernel.isBusy else {
      return .refused(.conflict, "The machine is handling an event. To fix, poll when it is not.")
    }
    do throws(ControlRefusal) {
      switch action {
      case .hold(let policy): kernel.hold(policy, while: context.isHeld)
      case .resume: kernel.resume()
      case .step:
        guard kernel.stepWaiting() else { throw ControlRefusal(.failed, "No event waits.") }
      case .restore(let slice, let moment):
        let value = try state(slice)
        context.willRestore(moment, kernel.number + 1)
        kernel.restore(value, at: site, origin: .inspector)
      case .dispatch(let slice):
        if try dispatch(slice) == .refused {
          throw ControlRefusal(.failed, "The machine did not take the event.", path: "event")
        }
      }
    } catch {
      return .refused(error.code, error.sentence, path: error.path)
    }
    let queued = kernel.isHeld ? kernel.waitingCount : 0
    return .done(seq: context.seq(kernel.number), queued: queued > 0 ? queued : nil)
  }
}
