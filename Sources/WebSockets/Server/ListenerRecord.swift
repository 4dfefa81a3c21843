/// The loop's record of a listener.
final class ListenerRecord {
  let number: UInt32
  let address: ListenAddress
  let options: ListenerOptions
  let handler: any ServerHandler
  /// The number of connections by peer.
  var counts: [PeerKey: Int] = [:]
  /// The versions of its identity's files when they were read.
  var identityStamp: ServerIdentity.Stamp?
  private let texts: HostTexts
  /// The socket file to remove with the listener, if we created it.
  private let socketPath: String?

  init(
    number: UInt32, address: ListenAddress, options: ListenerOptions,
    handler: any ServerHandler, texts: HostTexts, socketPath: String?
  ) {
    self.number = number
    self.address = address
    self.options = options
    self.handler = handler
    self.texts = texts
    self.socketPath = socketPath
  }

  /// The number of its connections.
  var count: Int { counts.values.reduce(0, +) }

  /// Frees everything, after the context is destroyed.
  func free() {
    texts.free()
    if let socketPath { UnixSocketFile.remove(socketPath) }
  }
}

/// Groups peers for the limit of connections per peer.
enum PeerKey: Hashable {
  case address(String)
  case user(UInt32)
  case unknown

  init(_ peer: Peer) {
    switch peer {
    case .tcp(let address, _): self = .address(address)
    case .unix(let user, _): self = .user(user)
    case .unknown: self = .unknown
    }
  }
}
