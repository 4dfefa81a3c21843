package import Timelines
package import Wire

// The states, inputs, and actions of a connection.
extension ConnectionMachine {
  /// The states, each with its data.
  package enum State: Hashable, Sendable {
    /// No connection is wanted.
    case idle
    case connecting(until: Duration)
    /// Waiting for the daemon to prove that it knows the secret.
    case proving(nonce: String, until: Duration)
    /// Waiting for the daemon's `welcome`.
    case greeting(until: Duration)
    case welcomed(since: Duration)
    /// The connection was lost or failed. It is retried at `until`.
    case waiting(until: Duration)
    /// The daemon refused, and will refuse again until something changes. It is retried rarely.
    case refused(String, until: Duration)
  }

  package enum Input: Sendable {
    /// Connect and stay connected.
    case start
    /// Disconnect and stay disconnected.
    case stop
    case opened
    case text([UInt8])
    case binary
    /// The transport was closed, or could not connect.
    case closed(code: UInt16?, reason: String)
    case protocolViolation(String)
    /// The peer's answer requires a new connection.
    case reconnect(String)
    /// The peer is not the expected one.
    case wrongPeer(String)
    case tick
  }

  package enum Action: Sendable {
    case connect
    /// Accept messages of up to that many bytes. Until then, the limit is
    /// ``ConnectionMachine/firstMessage``.
    case limitMessages(Int)
    case send([UInt8])
    /// Close the transport, and ignore its later events.
    case disconnect(code: CloseCode, reason: String)
    case welcomed(ToRecorder.Welcome)
    case received(Envelope<ToRecorder>)
    /// The connection was lost after the daemon had accepted it.
    case lost(String)
    case log(String)
  }

  /// The recorder's part of `hello`.
  package struct Greeting: Sendable {
    /// The run of the app.
    package var run: String?
    /// The timelines that are still open.
    package var timelines: [TimelineID]
    /// What the daemon may request.
    package var can: FromRecorder.Abilities

    package init(run: String?, timelines: [TimelineID], can: FromRecorder.Abilities) {
      self.run = run
      self.timelines = timelines
      self.can = can
    }
  }
}
