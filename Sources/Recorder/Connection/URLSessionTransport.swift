import Replaying

#if canImport(Darwin) || CHECKS_URL_SESSION
  #if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
  #else
    internal import Foundation
  #endif
  #if CHECKS_URL_SESSION
    package import Recorder
  #endif
  import Synchronization

  /// Connects to a daemon with the system's WebSocket client, over TCP or TLS, but not over Unix
  /// sockets.
  package final class URLSessionTransport: Transport {
    private let address: DaemonAddress

    /// Creates a transport to an address.
    package init(_ address: DaemonAddress) {
      self.address = address
    }

    package func connect(
      _ onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportConnection {
      guard case .network = address, let url = URL(string: address.description) else {
        onEvent(
          .closed(
            code: nil,
            reason: "This platform cannot connect to \(address). To fix, record to ws://host:port.")
        )
        return URLSessionConnection(nil, onEvent)
      }
      let connection = URLSessionConnection(url, onEvent)
      connection.begin()
      return connection
    }
  }

  /// One task of the system's client.
  private final class URLSessionConnection: NSObject, TransportConnection,
    URLSessionWebSocketDelegate
  {
    private struct State {
      var session: URLSession?
      var task: URLSessionWebSocketTask?
      /// The bytes that the system has not sent yet.
      var waiting = 0
      var isFull = false
      var isOver = false
    }

    /// The same limit as in `SocketTransport`.
    private static let maximumWaiting = 1 << 20

    private let url: URL?
    private let onEvent: @Sendable (TransportEvent) -> Void
    private let state = ForkSafeMutex(State())

    init(_ url: URL?, _ onEvent: @escaping @Sendable (TransportEvent) -> Void) {
      self.url = url
      self.onEvent = onEvent
    }

    func begin() {
      guard let url else { return }
      let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
      let task = session.webSocketTask(with: url, protocols: ["recorder.v1"])
      task.maximumMessageSize = 16 << 20
      state.withLock { state in
        state.session = session
        state.task = task
      }
      task.resume()
    }

    func send(_ frame: [UInt8]) {
      let task = state.withLock { state -> URLSessionWebSocketTask? in
        guard let task = state.task else { return nil }
        state.waiting += frame.count
        if !state.isFull, state.waiting > Self.maximumWaiting {
          state.isFull = true
          onEvent(.full)
        }
        return task
      }
      let count = frame.count
      task?.send(.string(String(decoding: frame, as: UTF8.self))) { [weak self] error in
        self?.sent(count, error)
      }
    }

    /// Does nothing: the system reads ahead, so that a new limit might not apply to the next message.
    /// The connection's machine refuses what is longer.
    func limitMessages(to bytes: Int) {}

    func close(code: UInt16, reason: String) {
      let (task, session) = state.withLock { state in
        state.isOver = true
        return (state.task, state.session)
      }
      let closeCode = URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .goingAway
      // A close frame has room for 123 bytes of reason.
      task?.cancel(with: closeCode, reason: Data(reason.utf8.prefix(123)))
      session?.finishTasksAndInvalidate()
    }

    var hasSentAll: Bool { state.withLock { $0.waiting == 0 } }

    private func sent(_ count: Int, _ error: (any Error)?) {
      if let error { return end(code: nil, reason: error.localizedDescription) }
      state.withLock { state in
        state.waiting -= count
        guard state.isFull, state.waiting <= Self.maximumWaiting / 4 else { return }
        state.isFull = false
        onEvent(.drained)
      }
    }

    private func receive(_ task: URLSessionWebSocketTask) {
      task.receive { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(.string(let text)): onEvent(.text(Array(text.utf8)))
        case .success: onEvent(.binary)
        case .failure(let error): return end(code: nil, reason: error.localizedDescription)
        }
        receive(task)
      }
    }

    private func end(code: UInt16?, reason: String) {
      let session = state.withLock { state -> URLSession? in
        guard !state.isOver else { return nil }
        state.isOver = true
        return state.session
      }
      guard let session else { return }
      session.invalidateAndCancel()
      onEvent(.closed(code: code, reason: reason))
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didOpenWithProtocol protocol: String?
    ) {
      onEvent(.opened(isSameUser: nil))
      receive(webSocketTask)
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      let words = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
      end(code: UInt16(exactly: closeCode.rawValue), reason: words)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      end(code: nil, reason: error?.localizedDescription ?? "The connection was closed.")
    }
  }
#endif
