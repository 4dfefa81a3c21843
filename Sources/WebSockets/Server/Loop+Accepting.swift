internal import CLibWebsockets

// From the first byte of a connection to its session.
extension Loop {
  /// Handles a new connection to a listener.
  func accept(_ call: TransportCall) -> Int32 {
    // The library also reports outgoing connections here; those already have an ID.
    guard call.handle.id == 0 else { return TransportAnswer.proceed }
    guard let protocols = lws_get_protocol(call.handle.pointer),
      let listener = listeners[protocols.pointee.id], !isStopping
    else { return TransportAnswer.end }
    let peer = Peer(of: call.handle.descriptor)
    let key = PeerKey(peer)
    // At the limit, drop a connection that has not sent a request.
    if listener.count >= listener.options.maxConnections {
      dropOldestPending(of: listener, ofAtLeast: 1)
    }
    let (all, ofPeer) = (listener.count, listener.counts[key, default: 0])
    guard all < listener.options.maxConnections,
      ofPeer < listener.options.maxConnectionsOfPeer,
      listener.handler.accepts(peer, connections: all, ofPeer: ofPeer, on: self)
    else { return TransportAnswer.end }
    lastConnection += 1
    let connection = Connection(
      id: lastConnection, peer: peer, listener: listener, handle: call.handle, stage: .idle)
    dropOldestPending(of: listener, ofAtLeast: listener.options.maxPending)
    listener.counts[key, default: 0] += 1
    call.handle.setID(connection.id)
    connections[connection.id] = connection
    return TransportAnswer.proceed
  }

  /// Drops the oldest connection without a complete request if there are too many, so that silent
  /// connections cannot lock other clients out.
  private func dropOldestPending(of listener: ListenerRecord, ofAtLeast count: Int) {
    let pending = connections.values.filter { $0.listener === listener && $0.isPending }
    guard pending.count >= count,
      let oldest = pending.min(by: { $0.id < $1.id })
    else { return }
    drop(oldest)
  }

  /// Ends a listener's connection soon, and stops counting it now.
  func drop(_ connection: Connection) {
    connection.stage = .over
    discount(connection)
    connection.handle?.kill()
  }

  /// Stops counting a listener's connection.
  func discount(_ connection: Connection) {
    guard let listener = connection.listener, !connection.isDiscounted else { return }
    connection.isDiscounted = true
    let key = PeerKey(connection.peer)
    let left = listener.counts[key, default: 1] - 1
    listener.counts[key] = left > 0 ? left : nil
  }

  func upgradeAsked(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard let listener = connection.listener,
      let request = Request(of: call.handle, peer: connection.peer, listener: listener)
    else { return TransportAnswer.end }
    if let refusal = UpgradeRules.refusal(of: request, isStopping: isStopping) {
      return refuseUpgrade(request, refusal, on: connection, call.handle)
    }
    switch listener.handler.decide(request, on: self) {
    case .accept(let handler, let options):
      connection.stage = .upgrading(
        UpgradeAcceptance(handler: handler, options: options), request)
      return TransportAnswer.proceed
    case .refuse(let response):
      return refuseUpgrade(request, response, on: connection, call.handle)
    }
  }

  private func refuseUpgrade(
    _ request: Request, _ response: Response, on connection: Connection, _ handle: ConnectionHandle
  ) -> Int32 {
    let common = connection.listener?.options.headers ?? []
    writeAtOnce(ResponseWriting(response, to: request, common: common), to: handle)
    return TransportAnswer.end
  }

  /// Lets the library accept an upgrade only if the handler accepted it.
  func upgradeChosen(on connection: Connection) -> Int32 {
    if case .upgrading = connection.stage { return TransportAnswer.proceed }
    return TransportAnswer.end
  }

  /// Handles the start of a session.
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

/// The rules of RFC 6455 for a client's request.
enum UpgradeRules {
  /// The response to a request that breaks a rule.
  static func refusal(of request: Request, isStopping: Bool) -> Response? {
    guard request.header("upgrade")?.lowercased() == "websocket" else {
      return .text(400, "The only supported upgrade is websocket.")
    }
    guard request.method == "GET" else {
      var response = Response.text(405, "A WebSocket session must begin with GET.")
      response.headers.append(("Allow", "GET"))
      return response
    }
    let connection = Request.list(request.header("connection")?.lowercased() ?? "")
    guard connection.contains("upgrade") else {
      return .text(400, "An upgrade needs the header \"Connection: Upgrade\".")
    }
    guard request.header("sec-websocket-version") == "13" else {
      var response = Response.text(426, "The only supported WebSocket version is 13.")
      response.headers += [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket")]
      return response
    }
    guard isKey(request.header("sec-websocket-key") ?? "") else {
      return .text(400, "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    guard request.header("host") != nil else {
      return .text(400, "A request needs a Host header.")
    }
    guard request.bodyBytes == 0, request.header("transfer-encoding") == nil else {
      return .text(400, "An upgrade request must not have a body.")
    }
    guard request.offeredSubprotocols.isEmpty || request.subprotocol != nil else {
      return .text(400, "None of these subprotocols is supported.")
    }
    guard !isStopping else { return .text(503, "The server is shutting down.") }
    return nil
  }

  /// Whether a text is 16 bytes in base64: 22 digits and two equals signs.
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
