internal import CLibWebsockets

// From the first byte of a connection to its session.
extension Loop {
  /// Somebody has connected to a listener.
  func accept(_ call: TransportCall) -> Int32 {
    // The library says the same of connections that go out, which have a name by then.
    guard call.wire.id == 0 else { return TransportAnswer.proceed }
    guard let protocols = lws_get_protocol(call.wire.pointer),
      let listener = listeners[protocols.pointee.id], !isStopping
    else { return TransportAnswer.end }
    let peer = Peer(of: call.wire.descriptor)
    let key = PeerKey(peer)
    // Where all places are taken, a connection that has not asked for anything makes room.
    if listener.count >= listener.options.maxConnections {
      dropOldestPending(of: listener, ofAtLeast: 1)
    }
    let (all, ofPeer) = (listener.count, listener.counts[key, default: 0])
    guard all < listener.options.maxConnections,
      ofPeer < listener.options.maxConnectionsOfPeer,
      listener.handler.admits(peer, connections: all, ofPeer: ofPeer, on: self)
    else { return TransportAnswer.end }
    lastConnection += 1
    let connection = Connection(
      id: lastConnection, peer: peer, listener: listener, wire: call.wire, stage: .idle)
    dropOldestPending(of: listener, ofAtLeast: listener.options.maxPending)
    listener.counts[key, default: 0] += 1
    call.wire.name(connection.id)
    connections[connection.id] = connection
    return TransportAnswer.proceed
  }

  /// Drops the connection that has waited longest for its request, when there are many of them: opening
  /// connections and sending nothing keeps nobody else out.
  private func dropOldestPending(of listener: ListenerRecord, ofAtLeast count: Int) {
    let pending = connections.values.filter { $0.listener === listener && $0.isPending }
    guard pending.count >= count,
      let oldest = pending.min(by: { $0.id < $1.id })
    else { return }
    drop(oldest)
  }

  /// Ends a listener's connection. It ends a moment later, and takes no place until then.
  func drop(_ connection: Connection) {
    connection.stage = .over
    discount(connection)
    connection.wire?.kill()
  }

  /// A listener's connection is gone.
  func discount(_ connection: Connection) {
    guard let listener = connection.listener, !connection.isDiscounted else { return }
    connection.isDiscounted = true
    let key = PeerKey(connection.peer)
    let left = listener.counts[key, default: 1] - 1
    listener.counts[key] = left > 0 ? left : nil
  }

  /// A client wants to leave HTTP.
  func upgradeAsked(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard let listener = connection.listener,
      let request = Request(of: call.wire, peer: connection.peer, listener: listener)
    else { return TransportAnswer.end }
    if let refusal = UpgradeRules.refusal(of: request, isStopping: isStopping) {
      return refuseUpgrade(request, refusal, on: connection, call.wire)
    }
    switch listener.handler.decide(request, on: self) {
    case .accept(let handler, let options):
      connection.stage = .upgrading(
        UpgradeAcceptance(handler: handler, options: options), request)
      return TransportAnswer.proceed
    case .refuse(let response):
      return refuseUpgrade(request, response, on: connection, call.wire)
    }
  }

  private func refuseUpgrade(
    _ request: Request, _ response: Response, on connection: Connection, _ wire: Wire
  ) -> Int32 {
    let common = connection.listener?.options.headers ?? []
    writeAtOnce(ResponseWriting(response, to: request, common: common), to: wire)
    return TransportAnswer.end
  }

  /// The library is about to agree. Not without a decision of ours.
  func upgradeChosen(on connection: Connection) -> Int32 {
    if case .upgrading = connection.stage { return TransportAnswer.proceed }
    return TransportAnswer.end
  }

  /// A session has begun.
  func serverOpened(_ connection: Connection) -> Int32 {
    guard case .upgrading(let acceptance, let request) = connection.stage else {
      return TransportAnswer.end
    }
    let session = Session(
      id: connection.id, loop: self, options: acceptance.options,
      facts: Session.Facts(
        peer: connection.peer, subprotocol: request.subprotocol,
        host: request.hosts.count == 1 ? request.hosts.first : nil))
    open(connection, LiveSession(session, acceptance.handler))
    return TransportAnswer.proceed
  }
}

/// What RFC 6455 asks of a client's request.
enum UpgradeRules {
  /// The answer to a request that breaks one of them.
  static func refusal(of request: Request, isStopping: Bool) -> Response? {
    guard request.header("upgrade")?.lowercased() == "websocket" else {
      return .text(400, "The only upgrade here is to websocket.")
    }
    guard request.method == "GET" else {
      var response = Response.text(405, "A WebSocket session begins with GET.")
      response.headers.append(("Allow", "GET"))
      return response
    }
    let connection = Request.list(request.header("connection")?.lowercased() ?? "")
    guard connection.contains("upgrade") else {
      return .text(400, "An upgrade needs the header Connection: Upgrade.")
    }
    guard request.header("sec-websocket-version") == "13" else {
      var response = Response.text(426, "The version of WebSocket spoken here is 13.")
      response.headers += [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket")]
      return response
    }
    guard isKey(request.header("sec-websocket-key") ?? "") else {
      return .text(400, "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    guard request.header("host") != nil else {
      return .text(400, "A request needs the header Host.")
    }
    guard request.bodyBytes == 0, request.header("transfer-encoding") == nil else {
      return .text(400, "The request for a session has no body.")
    }
    guard request.offeredSubprotocols.isEmpty || request.subprotocol != nil else {
      return .text(400, "None of these subprotocols is spoken here.")
    }
    guard !isStopping else { return .text(503, "The server is about to end.") }
    return nil
  }

  /// Whether a text is 16 bytes in base64: 22 digits and two signs of equality.
  static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22] == 0x3d, bytes[23] == 0x3d else { return false }
    return bytes.prefix(22).allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2f: true
      default: false
      }
    }
  }
}
