/// What a client asked for, before anything was answered.
package struct Request: Sendable {
  /// In capital letters.
  package var method: String
  /// Without the query, percent escapes resolved, no `.`, `..` or empty parts.
  package var path: String
  /// The query's parts in their order, escapes resolved.
  package var query: [QueryItem]
  /// By name in lower case. Those that the library knows and those the listener asked for.
  package var headers: [String: String]
  /// Every `Host` that was sent.
  package var hosts: [String]
  /// Every `Origin` that was sent.
  package var origins: [String]
  /// Who asks.
  package var peer: Peer
  /// Whether it came over TLS.
  package var isSecure: Bool
  /// The subprotocols that a client offers with an upgrade, in its order.
  package var offeredSubprotocols: [String]
  /// The first of them that the listener knows.
  package var subprotocol: String?
  /// How many bytes of body are announced.
  package var bodyBytes: Int

  /// The part `name=value` of a query.
  package struct QueryItem: Equatable, Sendable {
    /// In front of the first `=`.
    package var name: String
    /// Behind it; `nil` without one.
    package var value: String?
  }

  /// The header of that name, in any case.
  package func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// The first part of the query with that name.
  package func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}
