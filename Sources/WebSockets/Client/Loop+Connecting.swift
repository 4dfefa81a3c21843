internal import CLibWebsockets

extension Loop {
  /// Begins a session with a server.
  ///
  ///     let session = loop.connect(to: .unix(path: socket), handler: recorder)
  ///
  /// Whatever becomes of it is told to the handler: `opened`, or only `closed` with the reason why
  /// it did not begin, and with the status of a server that refused. That comes after this returns.
  /// A name is looked up on the loop, which waits for it; numeric addresses take no time.
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
      id: id, peer: .unknown, listener: nil, wire: nil, stage: .connecting(attempt, live))
    connections[id] = connection
    // Not now, so that nothing is called back before the caller has the session.
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
    if let mistake = attempt.mistake { return fail(connection, live, mistake) }
    guard let host = clientHost(context, attempt.trust) else {
      return fail(connection, live, "the authorities' certificates cannot be read")
    }
    let within = attempt.options.within
    let alarm = schedule(after: within) { loop in
      guard let connection = loop.connections[id], case .connecting(_, let live) = connection.stage
      else { return }
      live.end = .lost("no session came about within \(within)")
      connection.wire?.kill()
    }
    live.alarms.append(alarm)
    guard connect(attempt, id, context, host) else {
      guard connections[id]?.live != nil else { return }
      return fail(connection, live, "the connection was refused or could not be begun")
    }
  }

  /// Ends an attempt of which the library knows nothing (any more).
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
    connections[id]?.wire = Wire(pointer: made)
    return true
  }

  /// The request is being written; TLS has been agreed on by now.
  func clientHeaders(on connection: Connection, _ call: TransportCall) -> Int32 {
    // With each step the library sets a time limit of its own, which takes the place of a kill.
    guard case .connecting(let attempt, let live) = connection.stage, live.end == nil else {
      return TransportAnswer.end
    }
    connection.wire = call.wire
    if let wanted = attempt.fingerprint {
      guard let found = Fingerprint.ofPeer(call.wire), Fingerprint.matches(found, wanted) else {
        live.end = .lost("the server has another certificate than the one that was named")
        return TransportAnswer.end
      }
    }
    var lines: [UInt8] = []
    var headers = attempt.options.headers
    // The library would put a scheme of its own in front of it.
    if let origin = attempt.options.origin { headers.insert(("Origin", origin), at: 0) }
    for (name, value) in headers {
      lines += (name + ": " + value).utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
      lines += [0x0d, 0x0a]
    }
    guard lines.count < call.bytes.count, let start = call.bytes.baseAddress else {
      live.end = .lost("the headers are longer than a request may be")
      return TransportAnswer.end
    }
    // Safe: the library lends the place where its request goes on, and says how much room there is.
    let place = UnsafeMutableRawPointer(mutating: start)
      .assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
    for byte in lines {
      place.pointee.pointee = byte
      place.pointee += 1
    }
    return TransportAnswer.proceed
  }

  /// The server has agreed.
  func clientAgreed(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .connecting(let attempt, let live) = connection.stage, live.end == nil else {
      return TransportAnswer.end
    }
    let chosen = Request.subprotocolHeader(of: call.wire)
    if let chosen, !attempt.options.subprotocols.contains(chosen) {
      live.end = .lost("the server chose a subprotocol that was not offered")
      return TransportAnswer.end
    }
    live.session.learn(
      Session.Facts(peer: Peer(of: call.wire.descriptor), subprotocol: chosen))
    return TransportAnswer.proceed
  }

  /// The session has begun.
  func clientOpened(_ connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .connecting(_, let live) = connection.stage, live.end == nil else {
      return TransportAnswer.end
    }
    connection.wire = call.wire
    for alarm in live.alarms { cancel(alarm) }
    live.alarms = []
    open(connection, live)
    // What was sent before it began waits in the queue.
    call.wire.requestTurn()
    return TransportAnswer.proceed
  }

  /// It did not begin.
  func clientFailed(_ connection: Connection, _ call: TransportCall) -> Int32 {
    guard let live = connection.live else { return TransportAnswer.proceed }
    if live.end == nil {
      let words = String(decoding: call.bytes.prefix { $0 != 0 }, as: UTF8.self)
      let status = Int(lws_http_client_http_response(call.wire.pointer))
      live.end = ClientFailure.end(words, status: status == 101 ? 0 : status)
    }
    ended(connection)
    return TransportAnswer.proceed
  }
}

extension ConnectAttempt {
  /// What makes the attempt senseless.
  var mistake: String? {
    if case .unix(let path) = endpoint {
      return path.hasPrefix("/") && path.utf8.count < 104
        ? nil : "the path of a socket begins with / and has at most 103 bytes"
    }
    guard (1...65_535).contains(port) else { return "a port is a number from 1 to 65535" }
    if let fingerprint, fingerprint.utf8.count != 64 || !fingerprint.allSatisfy(\.isHexDigit) {
      return "a fingerprint has 64 hexadecimal digits"
    }
    let texts = [address, options.path, hostHeader] + options.subprotocols
    // In front of the headers the library has room for a head of 2 KiB with a host of 100 bytes.
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }),
      options.path.hasPrefix("/"), options.path.utf8.count <= 1_024, hostHeader.utf8.count <= 100
    else { return "the path, the host or a subprotocol cannot stand in a request" }
    return nil
  }
}

/// The library's words for what went wrong, in ours.
enum ClientFailure {
  /// The end that they tell of.
  static func end(_ words: String, status: Int) -> SessionEnd {
    if status > 0, status != 101 {
      return .lost("the server refused the session with status \(status)", refusal: status)
    }
    return .lost(words.isEmpty ? "the connection could not be made" : words)
  }
}
