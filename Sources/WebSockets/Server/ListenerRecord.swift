/// A listener as the loop keeps it.
final class ListenerRecord {
  let number: UInt32
  let address: ListenAddress
  let options: ListenerOptions
  let handler: any ServerHandler
  /// How many connections there are, by peer.
  var counts: [PeerKey: Int] = [:]
  /// What the files of its identity were when they were read.
  var identityStamp: ServerIdentity.Stamp?
  private let texts: HostTexts
  /// Taken away with the listener, when it is ours.
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

  /// All its connections.
  var count: Int { counts.values.reduce(0, +) }

  /// Gives everything back, when the context is gone.
  func free() {
    texts.free()
    if let socketPath { UnixSocketFile.remove(socketPath) }
  }
}

/// What makes two peers the same for the limits.
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
