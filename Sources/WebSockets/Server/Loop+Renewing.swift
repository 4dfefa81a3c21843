internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Loop {
  /// Reads the certificates and keys of all listeners again, where their files are others than those
  /// that were read last. Who connects from then on sees the new ones; sessions go on.
  ///
  /// - Returns: whether any was renewed.
  /// - Throws: `TransportError` when files cannot be read or do not belong together; then all
  ///   listeners keep what they have.
  package func renewIdentities() throws(TransportError) -> Bool {
    guard let context, !isStopping else { throw .stopped }
    let aged = listeners.values.filter { $0.options.identity?.stamp != $0.identityStamp }
    for listener in aged {
      guard let identity = listener.options.identity else { continue }
      try identity.check(for: listener.address)
      guard shim_is_identity(identity.certificatePath, identity.keyPath) != 0 else {
        throw .cannotListen(
          address: listener.address.description,
          reason: "the certificate and the key do not fit, or are not PEM")
      }
    }
    for listener in aged {
      guard let identity = listener.options.identity else { continue }
      let stamp = identity.stamp
      // Renews every listener that has these files.
      let failed = lws_tls_cert_updated(
        context.pointer, identity.certificatePath, identity.keyPath, nil, 0, nil, 0)
      guard failed == 0 else {
        throw .cannotListen(
          address: listener.address.description, reason: "the library refused the certificate")
      }
      listener.identityStamp = stamp
    }
    return !aged.isEmpty
  }
}

extension ServerIdentity {
  /// Tells files apart from those that took their place.
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

  /// What the files are now.
  var stamp: Stamp { Stamp([certificatePath, keyPath]) }
}
