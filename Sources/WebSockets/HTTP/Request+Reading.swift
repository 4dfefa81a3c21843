internal import CLibWebsockets

extension Request {
  private static let methods: [(token: lws_token_indexes, name: String)] = [
    (WSI_TOKEN_GET_URI, "GET"), (WSI_TOKEN_HEAD_URI, "HEAD"), (WSI_TOKEN_POST_URI, "POST"),
    (WSI_TOKEN_PUT_URI, "PUT"), (WSI_TOKEN_DELETE_URI, "DELETE"), (WSI_TOKEN_PATCH_URI, "PATCH"),
    (WSI_TOKEN_OPTIONS_URI, "OPTIONS"), (WSI_TOKEN_CONNECT, "CONNECT"),
  ]

  /// The headers for which the library has tokens.
  private static let known: [(token: lws_token_indexes, name: String)] = [
    (WSI_TOKEN_HOST, "host"), (WSI_TOKEN_ORIGIN, "origin"), (WSI_TOKEN_CONNECTION, "connection"),
    (WSI_TOKEN_UPGRADE, "upgrade"), (WSI_TOKEN_KEY, "sec-websocket-key"),
    (WSI_TOKEN_VERSION, "sec-websocket-version"), (WSI_TOKEN_PROTOCOL, "sec-websocket-protocol"),
    (WSI_TOKEN_EXTENSIONS, "sec-websocket-extensions"), (WSI_TOKEN_HTTP_ACCEPT, "accept"),
    (WSI_TOKEN_HTTP_IF_NONE_MATCH, "if-none-match"),
    (WSI_TOKEN_HTTP_IF_MODIFIED_SINCE, "if-modified-since"),
    (WSI_TOKEN_HTTP_AUTHORIZATION, "authorization"), (WSI_TOKEN_HTTP_COOKIE, "cookie"),
    (WSI_TOKEN_HTTP_CONTENT_LENGTH, "content-length"),
    (WSI_TOKEN_HTTP_CONTENT_TYPE, "content-type"), (WSI_TOKEN_HTTP_RANGE, "range"),
    (WSI_TOKEN_HTTP_REFERER, "referer"), (WSI_TOKEN_HTTP_USER_AGENT, "user-agent"),
    (WSI_TOKEN_HTTP_TRANSFER_ENCODING, "transfer-encoding"), (WSI_TOKEN_HTTP_EXPECT, "expect"),
    (WSI_TOKEN_HTTP_CACHE_CONTROL, "cache-control"),
    (WSI_TOKEN_HTTP_ACCEPT_ENCODING, "accept-encoding"),
    (WSI_TOKEN_HTTP_ACCEPT_LANGUAGE, "accept-language"),
    (WSI_TOKEN_X_FORWARDED_FOR, "x-forwarded-for"),
  ]

  /// Reads the parsed request from the library; `nil` without a method or a path.
  init?(of handle: ConnectionHandle, peer: Peer, listener: ListenerRecord) {
    let pointer = handle.pointer
    guard
      let (token, method) = Self.methods.first(where: {
        lws_hdr_total_length(pointer, $0.token) > 0
      }),
      let path = Self.text(pointer, token), path.hasPrefix("/")
    else { return nil }
    var headers: [String: String] = [:]
    for (token, name) in Self.known {
      if let text = Self.text(pointer, token) { headers[name] = text }
    }
    for name in listener.options.requestHeaders {
      if let text = Self.custom(pointer, name.lowercased()) { headers[name.lowercased()] = text }
    }
    let offered = Self.list(headers["sec-websocket-protocol"] ?? "")
    self.init(
      method: method, path: path, query: Self.query(pointer), headers: headers,
      hosts: Self.values(pointer, WSI_TOKEN_HOST), origins: Self.values(pointer, WSI_TOKEN_ORIGIN),
      peer: peer,
      isSecure: lws_is_ssl(pointer) != 0, offeredSubprotocols: offered,
      subprotocol: offered.first { listener.options.subprotocols.contains($0) },
      bodyBytes: headers["content-length"].flatMap { Int($0) } ?? 0)
  }

  /// The elements of a comma-separated list, without surrounding whitespace.
  static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { element in
      String(
        element.trimmingPrefix { $0 == " " || $0 == "\t" }.reversed()
          .trimmingPrefix { $0 == " " || $0 == "\t" }.reversed())
    }.filter { !$0.isEmpty }
  }

  /// The subprotocol in the peer's header.
  static func subprotocolHeader(of handle: ConnectionHandle) -> String? {
    text(handle.pointer, WSI_TOKEN_PROTOCOL)
  }

  private static func text(_ handle: OpaquePointer, _ token: lws_token_indexes) -> String? {
    let length = Int(lws_hdr_total_length(handle, token))
    guard length > 0 else { return nil }
    return copied(length) { buffer, count in lws_hdr_copy(handle, buffer, count, token) }
  }

  /// Every value of a header that may occur more than once.
  private static func values(_ handle: OpaquePointer, _ token: lws_token_indexes) -> [String] {
    var values: [String] = []
    while true {
      let index = Int32(values.count)
      let length = Int(lws_hdr_fragment_length(handle, token, index))
      guard length > 0 else { break }
      let value = copied(length) { buffer, count in
        lws_hdr_copy_fragment(handle, buffer, count, token, index)
      }
      // The library keeps the whitespace before all values but the first.
      values.append(String((value ?? "").drop { $0 == " " || $0 == "\t" }))
    }
    // The library stops at an empty value; the joined text still has its comma.
    guard values.count < 2, let joined = text(handle, token) else { return values }
    return [joined]
  }

  private static func custom(_ handle: OpaquePointer, _ name: String) -> String? {
    // The library's names include the colon.
    let key = name + ":"
    let length = Int(lws_hdr_custom_length(handle, key, Int32(key.utf8.count)))
    guard length > 0 else { return nil }
    return copied(length) { buffer, count in
      lws_hdr_custom_copy(handle, buffer, count, key, Int32(key.utf8.count))
    }
  }

  private static func query(_ handle: OpaquePointer) -> [QueryItem] {
    var items: [QueryItem] = []
    while true {
      let index = Int32(items.count)
      let length = Int(lws_hdr_fragment_length(handle, WSI_TOKEN_HTTP_URI_ARGS, index))
      guard length > 0 else { return items }
      let part = copied(length) { buffer, count in
        lws_hdr_copy_fragment(handle, buffer, count, WSI_TOKEN_HTTP_URI_ARGS, index)
      }
      let halves = (part ?? "").split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      items.append(
        QueryItem(
          name: halves.first.map(String.init) ?? "",
          value: halves.count > 1 ? String(halves[1]) : nil))
    }
  }

  /// Copies a text of known length from the library, which adds a terminating zero.
  private static func copied(
    _ length: Int, _ copy: (UnsafeMutablePointer<CChar>?, Int32) -> Int32
  ) -> String? {
    // Safe: the library gets the capacity, and returns the length.
    var characters = [CChar](repeating: 0, count: length + 1)
    let count = characters.withUnsafeMutableBufferPointer { buffer in
      copy(buffer.baseAddress, Int32(buffer.count))
    }
    guard count >= 0 else { return nil }
    let bytes = characters.prefix(Int(count)).map(UInt8.init(bitPattern:))
    return String(decoding: bytes, as: UTF8.self)
  }
}
