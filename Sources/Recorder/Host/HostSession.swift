import JSONCore
import Replaying
package import Timelines

/// Runs reducers for the daemon: `reduce` in, `reduced` out, in parts.
///
/// It makes fresh machines and touches no live one. It owns no thread and reads no stream: messages
/// come and go through `send`. Whatever a peer sent is answered.
///
/// ```
/// let session = HostSession(HostedMachines([Replay(reducible: CoinState.self)]))
/// session.receive(line) { envelope in write(envelope.encoded()) }
/// ```
package struct HostSession {
  /// The machines that it can make.
  package let machines: HostedMachines

  let limits: HostLimits
  let surroundings: HostSurroundings
  /// What it keeps between requests, where it does.
  private let memory: HostMemory?

  /// A session that can make these machines.
  ///
  /// - Parameter keeps: Whether it keeps the steps of timelines between requests, when it is asked
  ///   to.
  package init(
    _ machines: HostedMachines, limits: HostLimits = HostLimits(),
    surroundings: HostSurroundings = HostSurroundings(), keeps: Bool = false
  ) {
    memory = keeps ? HostMemory() : nil
    self.machines = machines
    self.limits = limits
    self.surroundings = surroundings
  }

  /// What it says first.
  package func hello(_ place: HostPlace) -> Envelope<FromRecorder> {
    Envelope(
      .hello(
        FromRecorder.Hello {
          $0.version = .current
          $0.can = FromRecorder.Abilities {
            $0.host = FromRecorder.HostOffer {
              $0.place = place
              $0.makes = machines.makes
              $0.confirms = place == .process
              $0.keeps = memory != nil
            }
          }
        }))
  }

  /// Answers a line; `cancel` is not answered, and has to be known to ``HostSurroundings``.
  package func receive(_ line: [UInt8], send: (Envelope<FromRecorder>) -> Void) {
    let envelope: Envelope<ToRecorder>
    do throws(MessageError) {
      envelope = try Envelope(reading: line, maxMessage: limits.messageBytes)
    } catch {
      return send(Envelope(.error(error.reply), re: error.request))
    }
    switch envelope.body {
    case .reduce(let reduce):
      guard let id = envelope.id else { return }
      self.reduce(reduce, id: id) { send(Envelope($0, re: id)) }
    case .confirm(let confirm):
      guard let id = envelope.id else { return }
      send(Envelope(self.confirm(confirm, id: id), re: id))
    case .cancel, .error, .notice, .welcome: return
    default:
      let type = Swift.type(of: envelope.body.message).type
      send(
        Envelope(
          .error(
            Self.reply(
              .unknownType, "A host answers 'reduce' and 'confirm', not '\(type)'.", path: "type")),
          re: envelope.id))
    }
  }

  /// Runs a request, and answers it in one or more parts.
  package func reduce(
    _ reduce: ToRecorder.Reduce, id: RequestID, send: (FromRecorder) -> Void
  ) {
    guard let replay = machines[reduce.make] else {
      return send(.error(unknownMachine(reduce.make)))
    }
    var run = HostRun(reduce, id: id, limits: limits, surroundings: surroundings)
    do throws(HostRefusal) {
      try run.perform(with: replay, memory: memory, send: send)
    } catch {
      send(.error(Self.reply(error.code, error.sentence, path: error.path)))
    }
    surroundings.didSend()
  }

  /// Says what it makes instead.
  func unknownMachine(_ make: String) -> ErrorReply {
    let makes = machines.makes
    let known =
      makes.isEmpty ? "It makes none." : "It makes \(makes.joined(separator: ", "))."
    return Self.reply(
      .notFound,
      """
      This host does not make \(make.debugDescription). \(known) \
      To fix, pass the machine's type to ReducerHost.
      """, path: "make")
  }

  /// An error in words.
  static func reply(_ code: ErrorCode, _ message: String, path: String?) -> ErrorReply {
    ErrorReply {
      $0.code = code
      $0.message = message
      $0.path = path
    }
  }
}

/// Why a request is answered by an error.
struct HostRefusal: Error {
  let code: ErrorCode
  let sentence: String
  var path: String?
}
