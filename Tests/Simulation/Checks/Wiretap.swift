import DebugServer
import JSONCore
import Timelines

/// Reads what both ends of a connection send, and holds it against docs/protocol.md; it knows nothing
/// of how either end works.
///
/// Safe: the simulation has one thread.
final class Wiretap: @unchecked Sendable {
  private unowned let world: World
  private let name: String
  private let role: PeerRole
  private let isRemote: Bool
  /// Whether nothing that it sends may be refused.
  private let isHonest: Bool
  private var recorder = RecorderRules()
  private var inspector: InspectorRules
  private var closes: Set<String> = []

  init(_ world: World, _ name: String, _ role: PeerRole, isRemote: Bool, isHonest: Bool) {
    self.world = world
    self.name = name
    self.role = role
    self.isRemote = isRemote
    self.isHonest = isHonest
    inspector = InspectorRules(isQuiet: world.plan.isQuiet)
  }

  /// What the recorder spent and got back, once nothing is on its way.
  var credit: (spent: Int, granted: Int, isWelcomed: Bool) {
    (recorder.spent, recorder.granted, recorder.isWelcomed)
  }

  /// The requests of an inspector that are not answered.
  var unanswered: [String] { inspector.open.keys.sorted() }

  private func broken(_ rule: String, _ sentence: String, _ bytes: [UInt8] = []) {
    let frame = bytes.isEmpty ? "" : ": \(String(decoding: bytes.prefix(300), as: UTF8.self))"
    world.fail(rule, "\(name): \(sentence)\(frame)")
  }

  /// A frame leaves the client.
  func fromClient(_ frame: Frame) {
    if closes.contains("client"), case .pong = frame {
    } else if closes.contains("client") {
      broken("frame-after-close", "the client sends after its close frame")
    }
    switch frame {
    case .text(let bytes):
      world.recordIdleMessage("\(name) → \(String(decoding: bytes.prefix(80), as: UTF8.self))")
      guard let message = try? JSONSlice(validating: bytes) else {
        return broken("not-json", "the client sends invalid JSON", bytes)
      }
      switch role {
      case .recorder:
        let problem = recorder.fromRecorder(
          message, bytes.count, isRemote: isRemote, world.book)
        if let problem { broken("recorder-message", problem, bytes) }
      case .inspector:
        if let problem = inspector.fromInspector(message) {
          broken("inspector-message", problem, bytes)
        }
      }
    case .binary: broken("binary", "the client sends a binary frame")
    case .close: closes.insert("client")
    case .ping, .pong, .end: break
    }
  }

  /// A frame leaves the daemon.
  func fromDaemon(_ frame: Frame) {
    if closes.contains("daemon"), case .pong = frame {
    } else if closes.contains("daemon") {
      broken("frame-after-close", "the daemon sends after its close frame")
    }
    switch frame {
    case .text(let bytes):
      world.recordIdleMessage(
        "daemon → \(name) \(String(decoding: bytes.prefix(80), as: UTF8.self))")
      guard let message = try? JSONSlice(validating: bytes) else {
        return broken("not-json", "the daemon sends invalid JSON", bytes)
      }
      switch role {
      case .recorder:
        if message["type"]?.string == "ack" { world.didAcknowledge() }
        if let problem = recorder.fromDaemon(message, isRemote: isRemote, world.book) {
          broken("daemon-message", problem, bytes)
        }
        if message["type"]?.string == "error" { refused(message, bytes) }
      case .inspector:
        if let problem = inspector.fromDaemon(message, hasHost: world.hasHost(of:)) {
          broken("daemon-message", problem, bytes)
        }
      }
    case .binary: if role == .recorder { broken("binary", "a recorder gets a binary frame") }
    case .ping(let payload):
      if payload.isEmpty { broken("empty-ping", "the daemon's ping has no payload") }
    case .close: closes.insert("daemon")
    case .pong, .end: break
    }
  }

  /// The daemon refuses something of a recorder.
  private func refused(_ message: JSONSlice, _ bytes: [UInt8]) {
    guard isHonest, let id = message["timeline"]?.string.flatMap({ TimelineID($0) }),
      let book = world.book[id], !book.mayBeGone
    else { return }
    broken("refuses-the-honest", "the daemon refuses what is right", bytes)
  }

  /// A frame arrives at the client.
  func delivered(_ frame: Frame) {
    guard role == .recorder, case .text(let bytes) = frame,
      let message = try? JSONSlice(validating: bytes)
    else { return }
    recorder.delivered(message)
  }
}
