internal import CLibWebsockets

// Requests that are not upgrades.
extension Loop {
  /// The head of a request has come.
  func request(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard let listener = connection.listener,
      let request = Request(of: call.wire, peer: connection.peer, listener: listener)
    else { return TransportAnswer.end }
    if request.header("transfer-encoding") != nil {
      return answerAndEnd(
        request, .text(411, "A body needs a Content-Length here."), on: connection)
    }
    let needsLength = ["POST", "PUT", "PATCH"].contains(request.method)
    if needsLength, request.header("content-length").flatMap({ Int($0) }) == nil {
      return answerAndEnd(
        request, .text(411, "A body needs a Content-Length here."), on: connection)
    }
    if request.bodyBytes > listener.options.maxBodyBytes || request.bodyBytes < 0 {
      let most = listener.options.maxBodyBytes
      return answerAndEnd(
        request, .text(413, "A body may have at most \(most) bytes here."), on: connection)
    }
    if request.bodyBytes > 0 || (needsLength && request.method == "POST") {
      connection.stage = .readingBody(request, [])
      limitBody(of: connection.id, listener.options.bodyWithin)
      return TransportAnswer.proceed
    }
    hand(request, body: [], on: connection)
    return TransportAnswer.proceed
  }

  /// Ends a connection whose body has not come as a whole in time: the library's own limit begins again
  /// with each piece.
  private func limitBody(of id: UInt64, _ time: Duration) {
    schedule(after: time) { loop in
      guard let connection = loop.connections[id], case .readingBody = connection.stage else {
        return
      }
      loop.drop(connection)
    }
  }

  /// A piece of its body has come.
  func body(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .readingBody(let request, var body) = connection.stage else {
      return TransportAnswer.proceed
    }
    // Taken out first, so that appending does not copy.
    connection.stage = .idle
    body.append(contentsOf: call.bytes)
    guard body.count <= request.bodyBytes else { return TransportAnswer.end }
    connection.stage = .readingBody(request, body)
    return TransportAnswer.proceed
  }

  /// All of it has come.
  func bodyEnd(on connection: Connection) -> Int32 {
    guard case .readingBody(let request, let body) = connection.stage else {
      return TransportAnswer.end
    }
    hand(request, body: body, on: connection)
    return TransportAnswer.proceed
  }

  private func hand(_ request: Request, body: [UInt8], on connection: Connection) {
    guard let listener = connection.listener, let wire = connection.wire else { return }
    lastExchange += 1
    let number = Exchange.Number(connection: connection.id, place: lastExchange)
    dropStalestAnswer(of: listener)
    connection.stage = .answering(number)
    connection.progress = lws_now_usecs()
    // The handler may take its time; the time limit begins again with the answer.
    lws_set_timeout(wire.pointer, NO_PENDING_TIMEOUT, 0)
    listener.handler.handle(
      Exchange(request, body: body, number: number, loop: self), on: self)
  }

  /// Drops the answer that has waited longest for its peer to read, when there are many: peers that ask
  /// and do not read keep no other peer from an answer.
  private func dropStalestAnswer(of listener: ListenerRecord) {
    let answered = connections.values.filter { $0.listener === listener && $0.isAnswered }
    guard answered.count >= listener.options.maxAnswering,
      let stalest = answered.min(by: { ($0.progress, $0.id) < ($1.progress, $1.id) })
    else { return }
    drop(stalest)
  }

  /// Sends the answer to an exchange, if it is still waited for.
  func answer(_ number: Exchange.Number, _ request: Request, _ response: Response) {
    guard let connection = connections[number.connection],
      case .answering(number) = connection.stage
    else { return }
    beginAnswer(request, response, on: connection)
  }

  private func beginAnswer(_ request: Request, _ response: Response, on connection: Connection) {
    guard let listener = connection.listener, let wire = connection.wire else { return }
    connection.stage = .responding(
      ResponseWriting(response, to: request, common: listener.options.headers))
    wire.limitStall(listener.options.stallWithin)
    wire.requestTurn()
  }

  private func answerAndEnd(
    _ request: Request, _ response: Response, on connection: Connection
  ) -> Int32 {
    guard let listener = connection.listener, let wire = connection.wire else {
      return TransportAnswer.end
    }
    writeAtOnce(
      ResponseWriting(response, to: request, common: listener.options.headers), to: wire)
    return TransportAnswer.end
  }

  /// Writes a short answer whole, at a moment when nothing else is being written.
  func writeAtOnce(_ writing: ResponseWriting, to wire: Wire) {
    var writing = writing
    while !writing.isDone, let count = writing.next(scratch),
      shim_write(wire.pointer, scratch.payload, count, Int32(LWS_WRITE_HTTP.rawValue), 1, 1) >= 0
    {}
  }

  /// A turn to write: one piece.
  func writeResponse(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .responding(var writing) = connection.stage, let listener = connection.listener
    else { return TransportAnswer.proceed }
    let wire = call.wire
    connection.stage = .idle
    guard let count = writing.next(scratch),
      shim_write(wire.pointer, scratch.payload, count, Int32(LWS_WRITE_HTTP.rawValue), 1, 1)
        >= count
    else { return TransportAnswer.end }
    guard writing.isDone else {
      connection.stage = .responding(writing)
      connection.progress = lws_now_usecs()
      wire.limitStall(listener.options.stallWithin)
      wire.requestTurn()
      return TransportAnswer.proceed
    }
    // One exchange a connection: the library mistakes the head of a request that came together with
    // the one before it for that request's body.
    return TransportAnswer.end
  }
}

extension Wire {
  /// Ends the connection unless something is written within that time.
  func limitStall(_ time: Duration) {
    lws_set_timeout(pointer, PENDING_TIMEOUT_HTTP_CONTENT, time.wholeSeconds)
  }
}
