internal import CLibWebsockets

/// What the library tells, in our words. Whatever is not here does not concern us.
enum TransportEvent: Sendable {
  /// A peer has connected to a listener.
  case accepted
  /// A peer asks to leave HTTP; the answer may still be a refusal.
  case upgradeAsked
  /// The subprotocol was chosen; the last chance to refuse.
  case upgradeChosen
  /// A session with a client has begun.
  case serverOpened
  /// A session with a server has begun.
  case clientOpened
  /// A connection to a server did not come about.
  case clientFailed
  /// The request to a server is being written.
  case clientHeaders
  /// A server has agreed to the session; the last chance to leave.
  case clientAgreed
  /// A piece of a message.
  case received
  /// The answer to a ping.
  case pong
  /// A session may write.
  case writable
  /// The other end has said that it closes.
  case peerCloses
  /// The closing of a session begins, whoever wants it.
  case closing
  /// A session has ended.
  case closed
  /// A request that is not an upgrade.
  case request
  /// A piece of its body.
  case body
  /// The body's end.
  case bodyEnd
  /// An answer may be written.
  case responseWritable
  /// The connection's memory is being freed.
  case destroyed

  /// - Returns: `nil` for a reason that does not concern us.
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
