/// The headers of every HTTP response.
package enum ResponseHeaders {
  /// What the page may load and do: its own files and its own WebSocket, nothing else.
  ///
  /// The only place that makes a script URL starts the worker for files.
  package static let contentPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
    "img-src 'self' data:", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
    "worker-src 'self'", "require-trusted-types-for 'script'", "trusted-types file-worker",
  ].joined(separator: "; ")

  /// On every response, including errors. There is no CORS header, ever.
  package static let all: [(name: String, value: String)] = [
    ("Content-Security-Policy", contentPolicy),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
  ]
}
