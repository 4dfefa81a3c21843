import Foundation

/// How many files and sockets the process may have open.
enum DescriptorLimit {
  /// Raises the limit as far as the user may, so that connections to the port never use up the
  /// descriptors of the Unix socket and the store. Each listener may have some 2,100 connections.
  static func raise() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 8_192 else { return }
    limit.rlim_cur = min(limit.rlim_max, 8_192)
    _ = setrlimit(resource, &limit)
  }
}
