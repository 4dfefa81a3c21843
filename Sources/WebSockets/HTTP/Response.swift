package struct Response: Sendable {
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file, read in pieces as the peer receives them.
    case file(OpenFile)
  }

  /// The status code, such as 404.
  package var status: Int
  /// The headers in order. `Content-Length` and `Connection` are added.
  package var headers: [(name: String, value: String)]
  /// The body; not sent in a response to HEAD.
  package var body: Body

  package init(
    status: Int, headers: [(name: String, value: String)] = [], body: Body = .none
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A plain text response.
  ///
  ///     exchange.respond(.text(404, "There is no such page."))
  package static func text(_ status: Int, _ sentence: String) -> Response {
    Response(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: .bytes(Array((sentence + "\n").utf8)))
  }

  package var bodyBytes: Int {
    switch body {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .file(let file): file.size
    }
  }
}

extension Response {
  /// The reason phrase of a status.
  static func phrase(_ status: Int) -> String {
    phrases[status] ?? "Status"
  }

  private static let phrases = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
    413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
    426: "Upgrade Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]

  /// The encoded head. Control characters in names and values become spaces, which prevents header
  /// injection.
  func head(common: [(name: String, value: String)]) -> [UInt8] {
    var head = Array("HTTP/1.1 \(status) \(Self.phrase(status))\r\n".utf8)
    func add(_ name: String, _ value: String) {
      head += (name + ": " + value).utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
      head += [0x0d, 0x0a]
    }
    for (name, value) in headers { add(name, value) }
    let own = Set(headers.map { $0.name.lowercased() })
    for (name, value) in common where !own.contains(name.lowercased()) { add(name, value) }
    // Responses with these statuses have no body, and so no length.
    if status != 304, status != 204 { add("Content-Length", String(bodyBytes)) }
    add("Connection", "close")
    return head + [0x0d, 0x0a]
  }
}
