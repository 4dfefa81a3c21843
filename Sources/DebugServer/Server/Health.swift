internal import WebSockets

/// What a daemon answers at `/health`, for load balancers.
///
/// It has no secrets, so it needs no session, and no name of the daemon: load balancers use addresses.
enum Health: String, Sendable {
  case serving
  /// Another daemon serves the database.
  case standby

  static func isAsked(by request: Request) -> Bool {
    request.path == "/health" && ["GET", "HEAD"].contains(request.method)
  }

  var response: Response {
    var response = Response.text(status, rawValue)
    response.headers.append(("Cache-Control", "no-store"))
    return response
  }

  private var status: Int {
    switch self {
    case .serving: 200
    case .standby: 503
    }
  }
}
