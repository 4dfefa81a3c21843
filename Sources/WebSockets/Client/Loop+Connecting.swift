internal import CLibWebsockets

extension Loop {
  /// Starts a session with a server.
  ///
  ///     let session = loop.connect(to: .unix(path: socket), handler: recorder)
  ///
  /// The handler receives `opened`, or only `closed` with the reason and the HTTP status if the server
  /// refused; both after this returns. Looking up a host name blocks the loop; numeric addresses need
  /// no lookup.
  package func connect(
    to endpoint: Endpoint, options: ConnectOptions = ConnectOptions(),
    handler: any SessionHandler
  ) -> Session {
    lastConnection += 1
    let id = lastConnection
    let session = Session(id: id, loop: self, options: options.session)
    let live = LiveSession(session, handler)
    let attempt = ConnectAttempt(endpoint: endpoint, options: options)
    let connection = Connection(
      id: id, peer: .unknown, listener: nil, handle: nil, stage: .connecting(attempt, live))
    connections[id] = connection
    // Later, so that no callback runs before the caller has the session.
    enqueue { $0.begin(id) }
    return session
  }

  private func begin(_ id: UInt64) {
    guard let connection = connections[id],
      case .connecting(let attempt, let live) = connection.stage
    else { return }
    guard let context, !isStopping else {
      return fail(connection, live, "the loop has been stopped")
    }
    if live.session.withOutgoing({ $0.isClosing }) {
      return fail(connection, live, "it was closed before it began")
    }
    if let problem = attempt.problem ?? HostName.problem(attempt.endpoint) {
      return fail(connection, live, problem)
    }
    guard let host = clientHost(context, attempt.trust) else {
      return fail(connection, live, "the certificates of the authorities cannot be read")
    }
    let within = attempt.options.within
    let timer = schedule(after: within) { loop in
      guard let connection = loop.connections[id], case .connecting(_, let live) = connection.stage
      else { return }
      live.end = .lost("the session did not begin within \(within)")
      connection.handle?.kill()
    }
    live.timers.append(timer)
    guard connect(attempt, id, context, host) else {
      guard connections[id]?.live != nil else { return }
      return fail(connection, live, "the connection was refused or could not be started")
    }
  }

  /// Ends an attempt for which the library has no connection.
  private func fail(_ connection: Connection, _ live: LiveSession, _ reason: String) {
    if live.end == nil { live.end = .lost(reason) }
    ended(connection)
    connections[connection.id] = nil
    endIfStopped()
  }

  private func clientHost(_ context: Context, _ trust: TLSTrust?) -> ClientHost? {
    if let host = clientHosts[trust] { return host }
    let host = ClientHost(
      context, trust, name: "client \(clientHosts.count)", readBytes: options.readBytes)
    clientHosts[trust] = host
    return host
  }

  private func connect(
    _ attempt: ConnectAttempt, _ id: UInt64, _ context: Context, _ host: ClientHost
  ) -> Bool {
    var info = lws_client_connect_info()
    info.context = context.pointer
    info.vhost = host.pointer
    info.port = Int32(clamping: attempt.port)
    info.ssl_connection = attempt.flags
    info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: UInt(id))
    let offered = attempt.options.subprotocols.joined(separator: ",")
    // Safe: the library copies the texts before it returns.
    let made = attempt.address.withCString { address in
      info.address = address
      return attempt.options.path.withCString { path in
        info.path = path
        return attempt.hostHeader.withCString { host in
          info.host = host
          return offered.withCString { offered in
            info.protocol = attempt.options.subprotocols.isEmpty ? nil : offered
            return "-".withCString { local in
              info.local_protocol_name = local
              return "http/1.1".withCString { alpn in
                info.alpn = alpn
                return OutgoingCall.run { lws_client_connect_via_info(&info) }
              }
            }
          }
        }
      }
    }
    guard let made else { return false }
    connections[id]?.handle = ConnectionHandle(pointer: made)
    return true
  }

  /// Adds headers to the request. The TLS handshake is complete by now.
  func clientHeaders(on connection: Connection, _ call: TransportCall) -> Int32 {
    // The library sets its own time limit at each step, which replaces an earlier kill.
    guard case .connecting(let attempt, let live) = connection.stage, live.end == nil else {
      return TransportAnswer.end
    }
    connection.handle = call.handle
    if let wanted = attempt.fingerprint {
      guard let found = Fingerprint.ofPeer(call.handle), Fingerprint.matches(found, wanted) else {
        live.end = .lost("the server's certificate does not have the expected fingerprint")
        return TransportAnswer.end
      }
    }
    var lines: [UInt8] = []
    var headers = attempt.options.headers
    // The library's own option would put a scheme in front of it.
    if let origin = attempt.options.origin { headers.insert(("Origin", origin), at: 0) }
    for (name, value) in headers {
      lines += (name + ": " + value).utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
      lines += [0x0d, 0x0a]
    }
    guard lines.count < call.bytes.count, let start = call.bytes.baseAddress else {
      live.end = .lost("the headers exceed the limit of a request")
      return TransportAnswer.end
    }
    // Safe: the library passes the end of its request, and the room after it.
    let place = UnsafeMutableRawPointer(mutating: start)
      .assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
    for byte in lines {
      place.pointee.pointee = byte
      place.pointee += 1
    }
    return TransportAnswer.proceed
  }

  /// Checks the server's answer before the session begins.
  func clientAgreed(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .connecting(let attempt, let live) = connection.stage, live.end == nil else {
      return TransportAnswer.end
    }
    let chosen = Request.subprotocolHeader(of: call.handle)
    if let chosen, !attempt.options.subprotocols.contains(chosen) {
      live.end = .lost("the server chose a subprotocol that was not offered")
      return TransportAnswer.end
    }
    live.session.setFacts(
      Session.Facts(peer: Peer(of: call.handle.descriptor), subprotocol: chosen))
    return TransportAnswer.proceed
  }

  func clientOpened(_ connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .connecting(_, let live) = connection.stage, live.end == nil else {
      return TransportAnswer.end
    }
    connection.handle = call.handle
    for timer in live.timers { cancel(timer) }
    live.timers = []
    open(connection, live)
    // Messages may have been queued before.
    call.handle.requestTurn()
    return TransportAnswer.proceed
  }

  /// The session could not be opened.
  func clientFailed(_ connection: Connection, _ call: TransportCall) -> Int32 {
    guard let live = connection.live else { return TransportAnswer.proceed }
    if live.end == nil {
      let text = String(decoding: call.bytes.prefix { $0 != 0 }, as: UTF8.self)
      let status = Int(lws_http_client_http_response(call.handle.pointer))
      live.end =
        CertificateProblem.text(shim_verification_failure(call.handle.pointer)).map { .lost($0) }
        ?? ClientFailure.end(text, status: status == 101 ? 0 : status)
    }
    ended(connection)
    return TransportAnswer.proceed
  }
}

extension ConnectAttempt {
  /// Why the attempt cannot succeed, if known.
  var problem: String? {
    if case .unix(let path) = endpoint {
      return path.hasPrefix("/") && path.utf8.count < 104
        ? nil : "the path of a socket must begin with / and have at most 103 bytes"
    }
    guard (1...65_535).contains(port) else { return "a port must be a number from 1 to 65535" }
    if let fingerprint, fingerprint.utf8.count != 64 || !fingerprint.allSatisfy(\.isHexDigit) {
      return "a fingerprint must have 64 hexadecimal digits"
    }
    let texts = [address, options.path, hostHeader] + options.subprotocols
    // Before the headers, the library has room for a head of 2 KiB with a host of 100 bytes.
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }),
      options.path.hasPrefix("/"), options.path.utf8.count <= 1_024, hostHeader.utf8.count <= 100
    else { return "the path, the host, or a subprotocol is not valid in a request" }
    return nil
  }
}

/// Translates the library's errors.
enum ClientFailure {
  /// The end of the session for an error.
  static func end(_ text: String, status: Int) -> SessionEnd {
    if status > 0, status != 101 {
      return .lost("the server refused the session with status \(status)", refusal: status)
    }
    return .lost(text.isEmpty ? "the connection could not be made" : text)
  }
}
