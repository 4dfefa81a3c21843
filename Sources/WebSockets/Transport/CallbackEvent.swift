internal import CLibWebsockets

/// The library's events that the loop handles.
enum CallbackEvent: Sendable {
  /// A peer has connected to a listener.
  case accepted
  /// A client requests an upgrade, which may still be refused.
  case upgradeAsked
  /// The subprotocol was chosen. This is the last chance to refuse.
  case upgradeChosen
  /// A session with a client has begun.
  case serverOpened
  /// A session with a server has begun.
  case clientOpened
  /// A connection to a server failed.
  case clientFailed
  /// The request to a server is being written.
  case clientHeaders
  /// A server has accepted the session. This is the last chance to cancel.
  case clientAgreed
  /// A piece of a message arrived.
  case received
  /// The answer to a ping arrived.
  case pong
  /// A session may write.
  case writable
  /// The peer sent a close frame.
  case peerCloses
  /// Either side starts to close a session.
  case closing
  /// A session has ended.
  case closed
  /// A request that is not an upgrade arrived.
  case request
  /// A piece of a request's body arrived.
  case body
  /// A request's body is complete.
  case bodyEnd
  /// A response may be written.
  case responseWritable
  /// The connection's memory is being freed.
  case destroyed

  /// - Returns: `nil` for a reason that the loop ignores.
  init?(_ reason: lws_callback_reasons) {
    switch reason {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: self = .accepted
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: self = .upgradeAsked
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: self = .upgradeChosen
    case LWS_CALLBACK_ESTABLISHED: self = .serverOpened
    case LWS_CALLBACK_CLIENT_ESTABLISHED: self = .clientOpened
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: self = .clientFailed
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: self = .clientHeaders
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH: self = .clientAgreed
    case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: self = .received
    case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG: self = .pong
    case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: self = .writable
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: self = .peerCloses
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL, LWS_CALLBACK_WS_CLIENT_DROP_PROTOCOL:
      self = .closing
    case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED: self = .closed
    case LWS_CALLBACK_HTTP: self = .request
    case LWS_CALLBACK_HTTP_BODY: self = .body
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: self = .bodyEnd
    case LWS_CALLBACK_HTTP_WRITEABLE: self = .responseWritable
    case LWS_CALLBACK_WSI_DESTROY: self = .destroyed
    default: return nil
    }
  }
}
