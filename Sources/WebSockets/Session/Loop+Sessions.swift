internal import CLibWebsockets

// The traffic of client and server sessions.
extension Loop {
  /// Opens a connection's session, and notifies its handler.
  func open(_ connection: Connection, _ live: LiveSession) {
    connection.stage = .live(live)
    beginIdleWatch(of: connection.id, live)
    live.handler.opened(live.session, on: self)
  }

  /// Handles a piece of a message.
  func received(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .live(let live) = connection.stage else { return TransportAnswer.proceed }
    let handle = call.handle.pointer
    let rest = lws_remaining_packet_payload(handle)
    if connection.listener != nil, live.frameRest == 0,
      FrameHead.isUnmasked(before: call.bytes, length: call.bytes.count + rest)
    {
      endSoon(connection, live)
      return refuse(live, .protocolError, "Client frames must be masked.", handle)
    }
    live.frameRest = rest
    live.idle?.frameArrived(now: lws_now_usecs())
    guard !live.session.withOutgoing({ $0.isClosing }) else { return TransportAnswer.proceed }
    let step = live.assembly.append(
      call.bytes, rest: rest, isFinal: lws_is_final_fragment(handle) != 0,
      isBinary: lws_frame_is_binary(handle) != 0)
    count(live.assembly.byteCount, of: live)
    switch step {
    case .incomplete:
      return limitUnfinished(live, handle)
    case .message(let message):
      live.session.countReceived(message.bytes.count)
      live.handler.received(message, from: live.session, on: self)
      return TransportAnswer.proceed
    case .tooBig:
      let limit = live.assembly.limit
      return refuse(live, .tooBig, "The message exceeds the limit of \(limit) bytes.", handle)
    }
  }

  /// Counts the bytes of a session's unfinished message.
  func count(_ bytes: Int, of live: LiveSession) {
    unfinishedBytes += bytes - live.unfinished.bytes
    let since = live.unfinished.bytes == 0 ? lws_now_usecs() : live.unfinished.since
    live.unfinished = (bytes, since)
  }

  /// Closes the sessions whose messages began first while the unfinished ones are too large together.
  /// Each is within its own limit, so only many peers at once can use up the memory.
  private func limitUnfinished(_ live: LiveSession, _ handle: OpaquePointer) -> Int32 {
    let reason = "The unfinished messages of all connections are too large together."
    while unfinishedBytes > options.unfinishedBytes {
      let sessions = connections.values.compactMap(\.live).filter { $0.unfinished.bytes > 0 }
      guard
        let oldest = sessions.min(by: {
          ($0.unfinished.since, $0.session.id) < ($1.unfinished.since, $1.session.id)
        })
      else { break }
      oldest.assembly.drop()
      count(0, of: oldest)
      guard oldest !== live else { return refuse(live, .tooBig, reason, handle) }
      oldest.session.close(code: .tooBig, reason: reason, discarding: true)
    }
    return TransportAnswer.proceed
  }

  /// Writes at most one frame, then requests another turn.
  func writable(_ connection: Connection, _ call: TransportCall) -> Int32 {
    let handle = call.handle
    // Nothing may follow a close frame, ours or the library's, although there still are turns.
    guard case .live(let live) = connection.stage, live.ownClose == nil, live.end == nil,
      lws_get_close_length(handle.pointer) == 0
    else { return TransportAnswer.proceed }
    if let ping = live.ping {
      live.ping = nil
      handle.requestTurn()
      return write(ping: ping, to: handle) ? TransportAnswer.proceed : TransportAnswer.end
    }
    switch live.session.withOutgoing({ $0.turn() }) {
    case .nothing:
      return TransportAnswer.proceed
    case .close(let code, let reason):
      return refuse(live, code, reason, handle.pointer)
    case .fragment(let fragment):
      guard write(fragment, to: handle) else { return TransportAnswer.end }
      live.session.countSent(fragment.range.count, isLast: fragment.isLast)
      if live.session.withOutgoing({ $0.wantsTurn() }) { handle.requestTurn() }
      if live.session.withOutgoing({ $0.consumeDrained() }) {
        live.handler.drained(live.session, on: self)
      }
      return TransportAnswer.proceed
    }
  }

  /// Sends as much as the socket accepts now. Otherwise, an answer to a message that arrived with a
  /// close frame would follow our close frame, and so never be sent.
  private func sendWhatFits(_ live: LiveSession, _ handle: ConnectionHandle) {
    while lws_send_pipe_choked(handle.pointer) == 0, live.ownClose == nil,
      case .fragment(let fragment) = live.session.withOutgoing({ $0.turn() }),
      write(fragment, to: handle)
    {
      live.session.countSent(fragment.range.count, isLast: fragment.isLast)
    }
  }

  private func write(_ fragment: OutgoingQueue.Fragment, to handle: ConnectionHandle) -> Bool {
    let kind: lws_write_protocol
    switch fragment.message {
    case .text: kind = LWS_WRITE_TEXT
    case .binary: kind = LWS_WRITE_BINARY
    }
    scratch.fill(with: fragment.message.bytes, fragment.range)
    let written = shim_write(
      handle.pointer, scratch.payload, fragment.range.count, Int32(kind.rawValue),
      fragment.isFirst ? 1 : 0, fragment.isLast ? 1 : 0)
    return written >= fragment.range.count
  }

  /// Ends a session with a close frame.
  private func refuse(
    _ live: LiveSession, _ code: SessionCloseCode, _ reason: String, _ handle: OpaquePointer
  ) -> Int32 {
    live.ownClose = (code, reason, lws_now_usecs())
    // A close frame holds 125 bytes, including two for the code. Do not split a character.
    var text: [UInt8] = []
    for character in reason {
      let more = Array(String(character).utf8)
      guard text.count + more.count <= 123 else { break }
      text += more
    }
    // Safe: the library copies the reason before it returns.
    text.withUnsafeMutableBufferPointer { buffer in
      lws_close_reason(
        handle, lws_close_status(rawValue: UInt32(code.rawValue)), buffer.baseAddress, buffer.count)
    }
    return TransportAnswer.end
  }

  /// Handles the peer's close frame. The library answers it.
  func peerCloses(_ connection: Connection, _ call: TransportCall) -> Int32 {
    guard let live = connection.live else { return TransportAnswer.proceed }
    let bytes = call.bytes
    if bytes.count != 1 { sendWhatFits(live, call.handle) }
    switch bytes.count {
    case 0:
      live.end = SessionEnd(code: .noStatus, reason: "", side: .peer, wasClean: true)
    case 1:
      endSoon(connection, live)
      return refuse(live, .protocolError, "The close frame has half a code.", call.handle.pointer)
    default:
      let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
      live.end = SessionEnd(
        code: SessionCloseCode(rawValue: code),
        reason: String(decoding: bytes.dropFirst(2), as: UTF8.self),
        side: .peer, wasClean: true)
    }
    return TransportAnswer.proceed
  }

  /// Handles the start of closing. If neither side requested it, the library closes the session of a
  /// peer that broke a rule.
  func closingBegins(_ connection: Connection, _ call: TransportCall) -> Int32 {
    if case .live(let live) = connection.stage, live.end == nil, live.ownClose == nil {
      endSoon(connection, live)
    }
    return TransportAnswer.proceed
  }

  /// Ends the connection soon after the close frame. After a peer broke a rule, its bytes cannot be
  /// parsed, so its confirmation is not awaited.
  private func endSoon(_ connection: Connection, _ live: LiveSession) {
    let id = connection.id
    // Long enough for the peer to read the frame before the connection ends.
    live.timers.append(
      schedule(after: .milliseconds(200)) { $0.connections[id]?.handle?.kill() })
  }

  /// Records the code with which the library closed the session of a peer that broke a rule.
  func recordLibraryClose(_ connection: Connection, _ call: TransportCall) {
    guard let live = connection.live, live.end == nil, live.ownClose == nil else { return }
    let count = Int(lws_get_close_length(call.handle.pointer))
    guard count >= 2, let payload = lws_get_close_payload(call.handle.pointer) else { return }
    // Safe: the library keeps that many bytes there during the callback.
    let bytes = UnsafeBufferPointer(start: payload, count: count)
    let code = SessionCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    live.end = SessionEnd(
      code: code, reason: String(decoding: bytes.dropFirst(2), as: UTF8.self), side: .local,
      wasClean: false)
  }
}
