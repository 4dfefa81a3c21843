package struct Request: Sendable {
  /// The method in uppercase.
  package var method: String
  /// The path without the query, with percent escapes decoded, and no `.`, `..`, or empty parts.
  package var path: String
  /// The query items in order, with escapes decoded.
  package var query: [QueryItem]
  /// Headers by lowercase name: the common ones, and the listener's `requestHeaders`.
  package var headers: [String: String]
  /// All `Host` headers.
  package var hosts: [String]
  /// All `Origin` headers.
  package var origins: [String]
  package var peer: Peer
  /// Whether the request arrived over TLS.
  package var isSecure: Bool
  /// The offered subprotocols of an upgrade, in the client's order.
  package var offeredSubprotocols: [String]
  /// The first offered subprotocol that the listener supports.
  package var subprotocol: String?
  /// The announced length of the body.
  package var bodyBytes: Int

  /// A part `name=value` of a query.
  package struct QueryItem: Equatable, Sendable {
    /// The text before the first `=`.
    package var name: String
    /// The text after it; `nil` without `=`.
    package var value: String?
  }

  /// A header by its name in any case.
  package func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// The first value in the query with this name.
  package func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}
