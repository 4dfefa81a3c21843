internal import CLibWebsockets

// HTTP requests, except upgrades.
extension Loop {
  /// Handles the head of a request.
  func request(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard let listener = connection.listener,
      let request = Request(of: call.handle, peer: connection.peer, listener: listener)
    else { return TransportAnswer.end }
    if request.header("transfer-encoding") != nil {
      return answerAndEnd(
        request, .text(411, "A request with a body needs a Content-Length header."), on: connection)
    }
    let needsLength = ["POST", "PUT", "PATCH"].contains(request.method)
    if needsLength, request.header("content-length").flatMap({ Int($0) }) == nil {
      return answerAndEnd(
        request, .text(411, "A request with a body needs a Content-Length header."), on: connection)
    }
    if request.bodyBytes > listener.options.maxBodyBytes || request.bodyBytes < 0 {
      let limit = listener.options.maxBodyBytes
      return answerAndEnd(
        request, .text(413, "The body exceeds the limit of \(limit) bytes."), on: connection)
    }
    if request.bodyBytes > 0 || (needsLength && request.method == "POST") {
      connection.stage = .readingBody(request, [])
      limitBody(of: connection.id, listener.options.bodyWithin)
      return TransportAnswer.proceed
    }
    dispatch(request, body: [], on: connection)
    return TransportAnswer.proceed
  }

  /// Ends a connection whose body is not complete in time. The library's own time limit restarts with
  /// each piece.
  private func limitBody(of id: UInt64, _ time: Duration) {
    schedule(after: time) { loop in
      guard let connection = loop.connections[id], case .readingBody = connection.stage else {
        return
      }
      loop.drop(connection)
    }
  }

  /// Handles a piece of the body.
  func body(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .readingBody(let request, var body) = connection.stage else {
      return TransportAnswer.proceed
    }
    // Removed from the connection first, so that appending does not copy.
    connection.stage = .idle
    body.append(contentsOf: call.bytes)
    guard body.count <= request.bodyBytes else { return TransportAnswer.end }
    connection.stage = .readingBody(request, body)
    return TransportAnswer.proceed
  }

  /// Handles the end of the body.
  func bodyEnd(on connection: Connection) -> Int32 {
    guard case .readingBody(let request, let body) = connection.stage else {
      return TransportAnswer.end
    }
    dispatch(request, body: body, on: connection)
    return TransportAnswer.proceed
  }

  private func dispatch(_ request: Request, body: [UInt8], on connection: Connection) {
    guard let listener = connection.listener, let handle = connection.handle else { return }
    lastExchange += 1
    let number = Exchange.Number(connection: connection.id, sequence: lastExchange)
    dropStalestAnswer(of: listener)
    connection.stage = .answering(number)
    connection.progress = lws_now_usecs()
    // The handler has no time limit; a new one begins with the response.
    lws_set_timeout(handle.pointer, NO_PENDING_TIMEOUT, 0)
    listener.handler.handle(
      Exchange(request, body: body, number: number, loop: self), on: self)
  }

  /// Drops the response that has stalled longest if there are too many, so that peers that do not
  /// read their responses cannot block other peers.
  private func dropStalestAnswer(of listener: ListenerRecord) {
    let answered = connections.values.filter { $0.listener === listener && $0.isAnswered }
    guard answered.count >= listener.options.maxAnswering,
      let stalest = answered.min(by: { ($0.progress, $0.id) < ($1.progress, $1.id) })
    else { return }
    drop(stalest)
  }

  /// Sends the response of an exchange, if its connection still waits for it.
  func answer(_ number: Exchange.Number, _ request: Request, _ response: Response) {
    guard let connection = connections[number.connection],
      case .answering(number) = connection.stage
    else { return }
    beginAnswer(request, response, on: connection)
  }

  private func beginAnswer(_ request: Request, _ response: Response, on connection: Connection) {
    guard let listener = connection.listener, let handle = connection.handle else { return }
    connection.stage = .responding(
      ResponseWriting(response, to: request, common: listener.options.headers))
    handle.limitStall(listener.options.stallWithin)
    handle.requestTurn()
  }

  private func answerAndEnd(
    _ request: Request, _ response: Response, on connection: Connection
  ) -> Int32 {
    guard let listener = connection.listener, let handle = connection.handle else {
      return TransportAnswer.end
    }
    writeAtOnce(
      ResponseWriting(response, to: request, common: listener.options.headers), to: handle)
    return TransportAnswer.end
  }

  /// Writes a short response at once, while nothing else is being written.
  func writeAtOnce(_ writing: ResponseWriting, to handle: ConnectionHandle) {
    var writing = writing
    while !writing.isDone, let count = writing.next(scratch),
      shim_write(handle.pointer, scratch.payload, count, Int32(LWS_WRITE_HTTP.rawValue), 1, 1) >= 0
    {}
  }

  /// Writes one piece of the response.
  func writeResponse(on connection: Connection, _ call: TransportCall) -> Int32 {
    guard case .responding(var writing) = connection.stage, let listener = connection.listener
    else { return TransportAnswer.proceed }
    let handle = call.handle
    connection.stage = .idle
    guard let count = writing.next(scratch),
      shim_write(handle.pointer, scratch.payload, count, Int32(LWS_WRITE_HTTP.rawValue), 1, 1)
        >= count
    else { return TransportAnswer.end }
    guard writing.isDone else {
      connection.stage = .responding(writing)
      connection.progress = lws_now_usecs()
      handle.limitStall(listener.options.stallWithin)
      handle.requestTurn()
      return TransportAnswer.proceed
    }
    // One exchange per connection: the library takes the head of a pipelined request for the body
    // of the previous one.
    return TransportAnswer.end
  }
}

extension ConnectionHandle {
  /// Ends the connection unless something is written within this time.
  func limitStall(_ time: Duration) {
    lws_set_timeout(pointer, PENDING_TIMEOUT_HTTP_CONTENT, time.wholeSeconds)
  }
}
