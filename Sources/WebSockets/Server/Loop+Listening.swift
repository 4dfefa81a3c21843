internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Loop {
  /// Starts listening for WebSocket sessions and HTTP requests on one address.
  ///
  ///     let listener = try loop.listen(on: .tcp(host: "::1", port: 0), handler: site)
  ///     print(listener.port)
  ///
  /// - Throws: `TransportError`.
  package func listen(
    on address: ListenAddress, handler: any ServerHandler,
    options: ListenerOptions = ListenerOptions()
  ) throws(TransportError) -> Listener {
    guard let context, !isStopping else { throw .stopped }
    var socketPath: String?
    if case .unix(let path) = address {
      try UnixSocketFile.prepare(path)
      socketPath = path
    }
    if let identity = options.identity { try identity.check(for: address) }
    let stamp = options.identity?.stamp

    lastListener += 1
    let number = lastListener
    var texts = HostTexts(
      options.subprotocols, number: number, readBytes: self.options.readBytes)
    guard let host = makeHost(context, address, options, &texts) else {
      texts.free()
      throw ListenFailure.of(address, hasIdentity: options.identity != nil)
    }
    var actual = address
    if case .tcp(let name, _) = address {
      actual = .tcp(host: name, port: Int(lws_get_vhost_listen_port(host)))
    }
    if let socketPath, !UnixSocketFile.protect(socketPath) {
      let code = errno
      lws_vhost_destroy(host)
      throw .cannotListen(address: socketPath, reason: ErrorText.of(code), code: code)
    }
    ListeningSocket.setNonblocking(at: actual)
    let record = ListenerRecord(
      number: number, address: actual, options: options, handler: handler, texts: texts,
      socketPath: socketPath)
    record.identityStamp = stamp
    listeners[number] = record
    return Listener(number: number, address: actual)
  }

  private func makeHost(
    _ context: Context, _ address: ListenAddress, _ options: ListenerOptions,
    _ texts: inout HostTexts
  ) -> OpaquePointer? {
    var info = lws_context_creation_info()
    info.protocols = UnsafePointer(texts.protocols)
    info.timeout_secs = UInt32(options.headWithin.wholeSeconds)
    info.timeout_secs_ah_idle = info.timeout_secs
    switch address {
    case .tcp(let host, let port):
      info.iface = texts.keep(host)
      info.port = Int32(clamping: port)
      info.options = shim_listener_options(0, host.contains(":") ? 1 : 0)
    case .unix(let path):
      info.iface = texts.keep(path)
      info.port = 0
      info.options = shim_listener_options(1, 0)
    }
    info.vhost_name = texts.keep("listener \(lastListener)")
    // Empty, because otherwise the library uses the environment's proxy.
    info.http_proxy_address = texts.keep("")
    info.alpn = texts.keep("http/1.1")
    info.headers = texts.keep(options.headers)
    info.ssl_cert_filepath = texts.keep(options.identity?.certificatePath)
    info.ssl_private_key_filepath = texts.keep(options.identity?.keyPath)
    return lws_create_vhost(context.pointer, &info)
  }
}

extension ServerIdentity {
  /// Checks the files first, because the library does not report what is wrong with them.
  func check(for address: ListenAddress) throws(TransportError) {
    for path in [certificatePath, keyPath] where access(path, R_OK) != 0 {
      throw .cannotRead(path: path, address: address.description, code: errno)
    }
  }
}

/// Finds out why the library could not listen, which it does not report.
private enum ListenFailure {
  static func of(_ address: ListenAddress, hasIdentity: Bool) -> TransportError {
    guard case .tcp(let host, let port) = address else {
      return .cannotListen(address: address.description, reason: ErrorText.last, code: errno)
    }
    guard (0...65_535).contains(port) else {
      return .cannotListen(
        address: address.description, reason: "a port must be a number from 0 to 65535")
    }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else {
      return .cannotListen(
        address: address.description,
        reason: "\(host) is not a numeric address. To fix, use one such as 127.0.0.1 or ::1")
    }
    // Safe: the system's list is freed here, and has at least one element.
    defer { freeaddrinfo(list) }
    let descriptor = socket(list.pointee.ai_family, list.pointee.ai_socktype, 0)
    guard descriptor >= 0 else {
      return .cannotListen(address: address.description, reason: ErrorText.last, code: errno)
    }
    defer { close(descriptor) }
    guard bind(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0 else {
      return errno == EADDRINUSE
        ? .addressInUse(address.description)
        : .cannotListen(address: address.description, reason: ErrorText.last, code: errno)
    }
    return .cannotListen(
      address: address.description,
      reason: hasIdentity
        ? "the certificate and the key do not match, or are not PEM" : "the library refused")
  }
}
