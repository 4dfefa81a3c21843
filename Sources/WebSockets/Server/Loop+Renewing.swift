internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Loop {
  /// Rereads the certificates and keys of all listeners whose files have changed. New connections use
  /// the new ones; open sessions continue.
  ///
  /// - Returns: Whether any certificate was renewed.
  /// - Throws: `TransportError` if files cannot be read or do not belong together. Then all listeners
  ///   keep their current certificates.
  package func renewIdentities() throws(TransportError) -> Bool {
    guard let context, !isStopping else { throw .stopped }
    let outdated = listeners.values.filter { $0.options.identity?.stamp != $0.identityStamp }
    for listener in outdated {
      guard let identity = listener.options.identity else { continue }
      try identity.check(for: listener.address)
      guard shim_is_identity(identity.certificatePath, identity.keyPath) != 0 else {
        throw .cannotListen(
          address: listener.address.description,
          reason: "the certificate and the key do not match, or are not PEM")
      }
    }
    for listener in outdated {
      guard let identity = listener.options.identity else { continue }
      let stamp = identity.stamp
      // Renews every listener with these files.
      let failed = lws_tls_cert_updated(
        context.pointer, identity.certificatePath, identity.keyPath, nil, 0, nil, 0)
      guard failed == 0 else {
        throw .cannotListen(
          address: listener.address.description, reason: "the library refused the certificate")
      }
      listener.identityStamp = stamp
    }
    return !outdated.isEmpty
  }
}

extension ServerIdentity {
  /// Identifies a version of the files.
  struct Stamp: Equatable {
    private let files: [[Int64]]

    init(_ paths: [String]) {
      files = paths.map { path in
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [
          Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)),
          Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
        ]
      }
    }
  }

  /// The current version of the files.
  var stamp: Stamp { Stamp([certificatePath, keyPath]) }
}
