import Replaying

#if Recording && os(Linux)
  import Synchronization
  internal import WebSockets

  /// Connects to a daemon with libwebsockets, over a Unix socket, TCP, or TLS.
  package final class SocketTransport: Transport {
    private let address: DaemonAddress
    private let trust: DaemonTrust
    private let loop = ForkSafeMutex<Loop?>(nil)

    static let subprotocol = "recorder.v1"

    /// Creates a transport to an address. `trust` selects the certificate to accept over TLS.
    package init(_ address: DaemonAddress, trust: DaemonTrust = .system) {
      self.address = address
      self.trust = trust
    }

    deinit {
      guard let loop = loop.withLock({ $0 }) else { return }
      Task { await loop.stop() }
    }

    package func connect(
      _ onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportConnection {
      let connection = SocketConnection(onEvent)
      if case .socket(let path) = address, let problem = SocketOwner.problem(at: path) {
        onEvent(.closed(code: nil, reason: problem))
        return connection
      }
      do {
        let loop = try started()
        let (endpoint, options) = (endpoint, Self.options)
        loop.enqueue { loop in
          connection.begin(loop.connect(to: endpoint, options: options, handler: connection))
        }
      } catch {
        onEvent(.closed(code: nil, reason: "\(error)"))
      }
      return connection
    }

    private func started() throws(TransportError) -> Loop {
      if let loop = loop.withLock({ $0 }) { return loop }
      var options = Loop.Options()
      options.name = "recorder"
      let started = try Loop.start(options)
      loop.withLock { $0 = started }
      return started
    }

    private var endpoint: Endpoint {
      switch address {
      case .socket(let path): .unix(path: path)
      case .network(let host, let port, false): .plain(host: host, port: port)
      case .network(let host, let port, true):
        .secure(host: host, port: port, trust: tlsTrust)
      }
    }

    private var tlsTrust: TLSTrust {
      switch trust {
      case .system: .system
      case .authority(let path): .authority(path: path)
      case .fingerprint(let text): .fingerprint(text)
      }
    }

    private static var options: ConnectOptions {
      var options = ConnectOptions()
      options.subprotocols = [subprotocol]
      options.session.maxMessageBytes = ConnectionMachine.firstMessage
      // A little more than a batch each way: frames that wait here are neither acknowledged nor
      // limited by the outbox.
      options.session.maxQueuedBytes = 1 << 20
      options.session.lowWaterBytes = 256 << 10
      return options
    }
  }

  private final class SocketConnection: TransportConnection, SessionHandler {
    private struct State {
      var session: Session?
      /// Frames that did not fit into the session's queue.
      var waiting: [[UInt8]] = []
      /// The requested close code and reason, if `close` was called before the session began.
      var end: (code: UInt16, reason: String)?
    }

    private let state = ForkSafeMutex(State())
    private let onEvent: @Sendable (TransportEvent) -> Void

    init(_ onEvent: @escaping @Sendable (TransportEvent) -> Void) {
      self.onEvent = onEvent
    }

    func begin(_ session: Session) {
      let end = state.withLock { state in
        state.session = session
        return state.end
      }
      if let end { session.close(code: SessionCloseCode(rawValue: end.code), reason: end.reason) }
    }

    func send(_ frame: [UInt8]) {
      state.withLock { state in
        guard let session = state.session else { return }
        guard state.waiting.isEmpty else {
          state.waiting.append(frame)
          return
        }
        guard session.send(.text(frame)) == .full else { return }
        state.waiting.append(frame)
        // Under the lock, so that `full` is reported before `drained`.
        onEvent(.full)
      }
    }

    func limitMessages(to bytes: Int) {
      state.withLock { $0.session }?.limitMessages(to: bytes)
    }

    func close(code: UInt16, reason: String) {
      let session = state.withLock { state in
        state.end = (code, reason)
        state.waiting = []
        return state.session
      }
      session?.close(code: SessionCloseCode(rawValue: code), reason: reason)
    }

    var hasSentAll: Bool {
      state.withLock { state in
        state.waiting.isEmpty && state.session?.statistics.queuedBytes ?? 0 == 0
      }
    }

    func opened(_ session: Session, on loop: isolated Loop) {
      if case .tcp = session.peer {
        onEvent(.opened(isSameUser: nil))
      } else {
        onEvent(.opened(isSameUser: session.peer.isSameUser))
      }
    }

    func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
      switch message {
      case .text(let bytes): onEvent(.text(bytes))
      case .binary: onEvent(.binary)
      }
    }

    func drained(_ session: Session, on loop: isolated Loop) {
      state.withLock { state in
        while let first = state.waiting.first {
          guard session.send(.text(first)) != .full else { return }
          state.waiting.removeFirst()
        }
        onEvent(.drained)
      }
    }

    func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
      let code = end.side == .neither ? nil : end.code.rawValue
      onEvent(.closed(code: code, reason: end.reason))
    }
  }
#endif
