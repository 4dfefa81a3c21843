import JSONCore
import Replaying
import Timelines
package import Wire

/// Runs reducers for the daemon: receives `reduce`, and sends `reduced` in parts.
///
/// It makes fresh machines and never uses live ones. It has no thread and reads no stream: the
/// caller passes in messages, and `send` passes them out. Every message is answered, even an
/// invalid one.
///
/// ```
/// let session = HostSession(HostedMachines([Replay(reducible: CoinState.self)]))
/// session.receive(line) { envelope in write(envelope.encoded()) }
/// ```
package struct HostSession {
  /// The machines that the host can make.
  package let machines: HostedMachines

  let limits: HostLimits
  let environment: HostSessionEnvironment
  /// The timelines that are kept between requests, if enabled.
  private let keptTimelines: KeptTimelines?
  /// What the latest search has been answered.
  let answeredStates = AnsweredStates()

  /// Creates a session that can make these machines.
  ///
  /// - Parameter keeps: Whether requests may ask to keep the steps of timelines.
  package init(
    _ machines: HostedMachines, limits: HostLimits = HostLimits(),
    environment: HostSessionEnvironment = HostSessionEnvironment(), keeps: Bool = false
  ) {
    keptTimelines = keeps ? KeptTimelines() : nil
    self.machines = machines
    self.limits = limits
    self.environment = environment
  }

  /// The first message of the session.
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
              $0.keeps = keptTimelines != nil
              $0.expands = place == .process
            }
          }
        }))
  }

  /// Answers a line. `cancel` is not answered; it must be reported through ``HostEnvironment``.
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
    case .challenge, .ack, .credit, .gone, .capture, .hold, .restore, .dispatch, .step, .resume:
      let type = Swift.type(of: envelope.body.message).type
      send(
        Envelope(
          .error(
            Self.reply(
              .unknownType, "A host answers 'reduce' and 'confirm', not '\(type)'.", path: "type")),
          re: envelope.id))
    }
  }

  package func reduce(
    _ reduce: ToRecorder.Reduce, id: RequestID, send: (FromRecorder) -> Void
  ) {
    guard let replay = machines[reduce.make] else {
      return send(.error(unknownMachine(reduce.make)))
    }
    if let expand = reduce.expand {
      return self.expand(reduce, expand, with: replay, id: id, send: send)
    }
    var run = HostRun(reduce, id: id, limits: limits, environment: environment)
    do throws(HostRefusal) {
      try run.perform(with: replay, kept: keptTimelines, send: send)
    } catch {
      send(.error(Self.reply(error.code, error.sentence, path: error.path)))
    }
    environment.didSend()
  }

  /// Makes the error for an unknown machine, which lists the known ones.
  func unknownMachine(_ make: String) -> ErrorReply {
    let makes = machines.makes
    let known =
      makes.isEmpty ? "It makes no machines." : "It makes \(makes.joined(separator: ", "))."
    return Self.reply(
      .notFound,
      """
      This host does not make \(make.debugDescription). \(known) \
      To fix, pass the machine's type to ReducerHost.
      """, path: "make")
  }

  static func reply(_ code: ErrorCode, _ message: String, path: String?) -> ErrorReply {
    ErrorReply {
      $0.code = code
      $0.message = message
      $0.path = path
    }
  }
}

/// Why a request is answered with an error.
struct HostRefusal: Error {
  let code: ErrorCode
  let sentence: String
  var path: String?
}
