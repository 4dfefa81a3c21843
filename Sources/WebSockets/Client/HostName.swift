#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Looks up a host name before an attempt: the library does not say that the lookup failed, and since
/// 4.3 it repeats one that failed for the moment until the time limit.
enum HostName {
  /// Why an endpoint's name leads nowhere; `nil` if it has an address, or needs none.
  static func problem(_ endpoint: Endpoint) -> String? {
    switch endpoint {
    case .unix: return nil
    case .plain(let host, _), .secure(let host, _, _):
      // Safe: the system sets the pointer if it returns 0, and it is freed once.
      var found: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, nil, nil, &found) != 0 else {
        freeaddrinfo(found)
        return nil
      }
      return "the host name \(host) cannot be resolved"
    }
  }
}
