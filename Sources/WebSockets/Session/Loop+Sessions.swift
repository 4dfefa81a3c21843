internal import CLibWebsockets

// The traffic of sessions, of either side.
extension Loop {
  /// Makes a connection's session live, and tells its handler.
  func open(_ connection: Connection, _ live: LiveSession) {
    connection.stage = .live(live)
    beginIdleWatch(of: connection.id, live)
    live.handler.opened(live.session, on: self)
  }

  /// A piece of a message.
  func received(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .live(let live) = connection.stage else { return TransportAnswer.proceed }
    let wire = call.wire.pointer
    let rest = lws_remaining_packet_payload(wire)
    if connection.listener != nil, live.frameRest == 0,
      FrameHead.isUnmasked(before: call.bytes, length: call.bytes.count + rest)
    {
      hurry(connection, live)
      return refuse(live, .protocolError, "The frames of a client must be masked.", wire)
    }
    live.frameRest = rest
    live.idle?.heard(now: lws_now_usecs())
    guard !live.session.withOutgoing({ $0.isClosing }) else { return TransportAnswer.proceed }
    let step = live.assembly.take(
      call.bytes, rest: rest, isFinal: lws_is_final_fragment(wire) != 0,
      isBinary: lws_frame_is_binary(wire) != 0)
    switch step {
    case .incomplete:
      return TransportAnswer.proceed
    case .message(let message):
      live.session.countReceived(message.bytes.count)
      live.handler.received(message, from: live.session, on: self)
      return TransportAnswer.proceed
    case .tooBig:
      let limit = live.assembly.limit
      return refuse(live, .tooBig, "A message may have at most \(limit) bytes.", wire)
    }
  }

  /// A turn to write: one frame at most, then another turn is asked for.
  func writable(_ connection: Connection, _ call: TransportCall) -> Int32 {
    let wire = call.wire
    // After a close frame, ours or the library's, nothing may follow, though there still are turns.
    guard case .live(let live) = connection.stage, live.ownClose == nil, live.end == nil,
      lws_get_close_length(wire.pointer) == 0
    else { return TransportAnswer.proceed }
    if let ping = live.ping {
      live.ping = nil
      wire.requestTurn()
      return write(ping: ping, to: wire) ? TransportAnswer.proceed : TransportAnswer.end
    }
    switch live.session.withOutgoing({ $0.turn() }) {
    case .nothing:
      return TransportAnswer.proceed
    case .close(let code, let reason):
      return refuse(live, code, reason, wire.pointer)
    case .fragment(let fragment):
      guard write(fragment, to: wire) else { return TransportAnswer.end }
      live.session.countSent(fragment.range.count, isLast: fragment.isLast)
      if live.session.withOutgoing({ $0.wantsTurn() }) { wire.requestTurn() }
      if live.session.withOutgoing({ $0.takeDrained() }) {
        live.handler.drained(live.session, on: self)
      }
      return TransportAnswer.proceed
    }
  }

  /// Sends what the socket takes at once: the answer to a message that came together with a close
  /// would otherwise be behind the answer to the close, and so never be sent.
  private func sendWhatFits(_ live: LiveSession, _ wire: Wire) {
    while lws_send_pipe_choked(wire.pointer) == 0, live.ownClose == nil,
      case .fragment(let fragment) = live.session.withOutgoing({ $0.turn() }),
      write(fragment, to: wire)
    {
      live.session.countSent(fragment.range.count, isLast: fragment.isLast)
    }
  }

  private func write(_ fragment: OutgoingQueue.Fragment, to wire: Wire) -> Bool {
    let kind: lws_write_protocol
    switch fragment.message {
    case .text: kind = LWS_WRITE_TEXT
    case .binary: kind = LWS_WRITE_BINARY
    }
    scratch.fill(with: fragment.message.bytes, fragment.range)
    let written = shim_write(
      wire.pointer, scratch.payload, fragment.range.count, Int32(kind.rawValue),
      fragment.isFirst ? 1 : 0, fragment.isLast ? 1 : 0)
    return written >= fragment.range.count
  }

  /// Ends a session with a close frame of ours.
  private func refuse(
    _ live: LiveSession, _ code: SessionCloseCode, _ reason: String, _ wire: OpaquePointer
  ) -> Int32 {
    live.ownClose = (code, reason, lws_now_usecs())
    // A close frame holds 125 bytes, two of which are the code; a character is not cut in two.
    var words: [UInt8] = []
    for character in reason {
      let more = Array(String(character).utf8)
      guard words.count + more.count <= 123 else { break }
      words += more
    }
    // Safe: the library copies the words before it returns.
    words.withUnsafeMutableBufferPointer { buffer in
      lws_close_reason(
        wire, lws_close_status(rawValue: UInt32(code.rawValue)), buffer.baseAddress, buffer.count)
    }
    return TransportAnswer.end
  }

  /// The other end has said that it closes; the library answers.
  func peerCloses(_ connection: Connection, _ call: TransportCall) -> Int32 {
    guard let live = connection.live else { return TransportAnswer.proceed }
    let bytes = call.bytes
    if bytes.count != 1 { sendWhatFits(live, call.wire) }
    switch bytes.count {
    case 0:
      live.end = SessionEnd(code: .noStatus, reason: "", side: .peer, wasClean: true)
    case 1:
      hurry(connection, live)
      return refuse(live, .protocolError, "A close frame with half a code came.", call.wire.pointer)
    default:
      let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
      live.end = SessionEnd(
        code: SessionCloseCode(rawValue: code),
        reason: String(decoding: bytes.dropFirst(2), as: UTF8.self),
        side: .peer, wasClean: true)
    }
    return TransportAnswer.proceed
  }

  /// A closing begins. One that neither end asked for is the library's, of a peer that broke a rule.
  func closingBegins(_ connection: Connection, _ call: TransportCall) -> Int32 {
    if case .live(let live) = connection.stage, live.end == nil, live.ownClose == nil {
      hurry(connection, live)
    }
    return TransportAnswer.proceed
  }

  /// Ends the connection soon after the close frame. What a peer sends after it broke a rule cannot
  /// be understood, so there is no waiting for its agreement.
  private func hurry(_ connection: Connection, _ live: LiveSession) {
    let id = connection.id
    // Long enough for the frame to be read before the connection is gone.
    live.alarms.append(
      schedule(after: .milliseconds(200)) { $0.connections[id]?.wire?.kill() })
  }

  /// Learns with which code the library itself ended a session whose peer broke a rule.
  func noteOwnClose(_ connection: Connection, _ call: TransportCall) {
    guard let live = connection.live, live.end == nil, live.ownClose == nil else { return }
    let count = Int(lws_get_close_length(call.wire.pointer))
    guard count >= 2, let payload = lws_get_close_payload(call.wire.pointer) else { return }
    // Safe: the library keeps that many bytes there while it calls.
    let bytes = UnsafeBufferPointer(start: payload, count: count)
    let code = SessionCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    live.end = SessionEnd(
      code: code, reason: String(decoding: bytes.dropFirst(2), as: UTF8.self), side: .here,
      wasClean: false)
  }
}
