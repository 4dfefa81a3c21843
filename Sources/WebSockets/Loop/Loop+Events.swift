internal import CLibWebsockets

extension Loop {
  /// Does what a call of the library asks for.
  func handle(_ call: TransportCall) -> Int32 {
    if case .accepted = call.event { return accept(call) }
    guard let connection = connections[call.wire.id] else { return TransportAnswer.proceed }
    switch call.event {
    case .accepted: return TransportAnswer.proceed
    case .request: return request(on: connection, call)
    case .body: return body(on: connection, call)
    case .bodyEnd: return bodyEnd(on: connection)
    case .responseWritable: return writeResponse(on: connection, call)
    case .upgradeAsked: return upgradeAsked(on: connection, call)
    case .upgradeChosen: return upgradeChosen(on: connection)
    case .serverOpened: return serverOpened(connection)
    case .clientHeaders: return clientHeaders(on: connection, call)
    case .clientAgreed: return clientAgreed(on: connection, call)
    case .clientOpened: return clientOpened(connection, call)
    case .clientFailed: return clientFailed(connection, call)
    case .received: return received(on: connection, call)
    case .pong:
      connection.live?.idle?.heard(now: lws_now_usecs())
      return TransportAnswer.proceed
    case .writable: return writable(connection, call)
    case .peerCloses: return peerCloses(connection, call)
    case .closing: return closingBegins(connection, call)
    case .closed:
      noteOwnClose(connection, call)
      ended(connection)
      return TransportAnswer.proceed
    case .destroyed:
      ended(connection)
      connection.wire = nil
      connections[connection.id] = nil
      discount(connection)
      endIfStopped()
      return TransportAnswer.proceed
    }
  }

  /// Tells the handler that its session is over, unless it knows.
  func ended(_ connection: Connection) {
    guard let live = connection.live else { return }
    connection.stage = .over
    for alarm in live.alarms { cancel(alarm) }
    if let alarm = live.idleAlarm { cancel(alarm) }
    live.session.withOutgoing { $0.end() }
    live.handler.closed(live.session, live.ending(at: lws_now_usecs()), on: self)
  }

  /// Runs a closure on the loop: at once when the caller is on it, else soon.
  nonisolated func onLoop(_ work: @escaping @Sendable (isolated Loop) -> Void) {
    if isCurrent { assumeIsolated { work($0) } } else { enqueue(work) }
  }

  /// Has a session write when its socket can take something.
  nonisolated func requestTurn(_ id: UInt64) {
    onLoop { $0.connections[id]?.wire?.requestTurn() }
  }

  /// Begins the closing of a session, whose queue knows about it.
  func beginClosing(_ id: UInt64) {
    guard let connection = connections[id], let live = connection.live, let wire = connection.wire
    else { return }
    if case .connecting = connection.stage {
      live.end = .lost("it was closed before it began")
      return wire.kill()
    }
    // A pause would keep the other end's agreement from being seen. What else comes is dropped.
    setReading(id, true)
    wire.requestTurn()
    let alarm = schedule(after: live.session.options.closeWithin) { loop in
      guard let live = loop.connections[id]?.live else { return }
      live.wasCut = true
      loop.connections[id]?.wire?.kill()
    }
    live.alarms.append(alarm)
  }

  /// Stops or resumes taking from the other end.
  func setReading(_ id: UInt64, _ isReading: Bool) {
    guard let connection = connections[id], case .live(let live) = connection.stage,
      let wire = connection.wire, live.isReading != isReading
    else { return }
    live.isReading = isReading
    lws_rx_flow_control(wire.pointer, isReading ? 1 : 0)
  }
}

extension LiveSession {
  /// How it ended, from all that is known.
  func ending(at now: Int64) -> SessionEnd {
    if let end { return end }
    guard let ownClose else {
      return .lost(wasCut ? "the other end did not take what was sent" : "the connection was lost")
    }
    // The library waits five seconds for the agreement, and does not say whether it came.
    let isInTime = now &- ownClose.time < 4_900_000
    return SessionEnd(
      code: ownClose.code, reason: ownClose.reason, side: .here, wasClean: isInTime && !wasCut)
  }
}
