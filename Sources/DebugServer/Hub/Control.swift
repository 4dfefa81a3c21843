package import Timelines
package import Wire

/// The control that an inspector has over a live machine.
///
/// The recorder knows one lease for as long as the machine is held. Each inspector gets a lease
/// that stands for it, so that taking over control never lets the machine run in between, and
/// invalidates the loser's lease at once.
package struct Control: Sendable {
  /// The connection that has control.
  package var holder: PeerID
  /// The controlling inspector's lease.
  package var lease: String
  /// The recorder's lease.
  package var recorderLease: String
  /// What happens to the app's own events.
  package var policy: HoldPolicyWord
}

/// A command that was sent to a recorder.
package struct Relay: Sendable {
  /// What to do with the answer.
  package enum Purpose: Sendable {
    case hold(Control)
    /// Renews a lease, perhaps with another policy.
    case renew(lease: String, HoldPolicyWord)
    /// Releases a machine.
    case resume
    /// Any other command.
    case command
  }

  /// The recorder that must answer.
  package var recorder: PeerID
  /// The inspector that sent the command; `nil` if the daemon itself did.
  package var inspector: PeerID?
  /// The inspector's request.
  package var request: RequestID?
  package var timeline: TimelineID
  /// What to do with the answer.
  package var purpose: Purpose
  /// When the answer times out.
  package var deadline: Int64
  /// The entry in the recorder's answer, while it is not stored yet.
  package var answered: Int64?
}
