package import Timelines

/// Who holds a live machine.
///
/// The recorder knows one lease as long as the machine is held. Each inspector gets a lease of its
/// own, which stands for that one: taking control over then needs no moment in which the machine
/// runs, and the loser's lease is worth nothing at once.
package struct Control: Sendable {
  /// The connection that holds it.
  package var holder: PeerID
  /// The holder's lease.
  package var lease: String
  /// The lease that the recorder knows.
  package var recorderLease: String
  /// What becomes of the app's own events.
  package var policy: HoldPolicyWord
}

/// A command on its way to a recorder.
package struct Relay: Sendable {
  /// What is to be done with the answer.
  package enum Purpose: Sendable {
    /// A machine is to be held.
    case hold(Control)
    /// A lease is to go on, perhaps with another policy than before.
    case renew(lease: String, HoldPolicyWord)
    /// A machine is to go on.
    case resume
    /// Anything else.
    case command
  }

  /// The recorder that has to answer.
  package var recorder: PeerID
  /// The inspector that asked; nobody when the daemon itself did.
  package var inspector: PeerID?
  /// Its request.
  package var request: RequestID?
  /// The timeline.
  package var timeline: TimelineID
  /// What is to be done with the answer.
  package var purpose: Purpose
  /// When it is too late for an answer.
  package var deadline: Int64
  /// The entry that the recorder has answered with, while it is not stored yet.
  package var answered: Int64?
}
