internal import CLibWebsockets

/// What one of the library's hosts is made from, and goes on reading: its subprotocols and texts.
///
/// Safe: only the loop touches it; the memory stays where it is until the context is gone.
struct HostTexts {
  /// The subprotocols: the default first, then the named ones; an empty one marks the end.
  let protocols: UnsafeMutablePointer<lws_protocols>
  private let count: Int
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var headers: [UnsafeMutablePointer<lws_protocol_vhost_options>] = []

  /// - Parameter number: Which listener it belongs to; 0 for clients.
  init(_ subprotocols: [String], number: UInt32, readBytes: Int) {
    count = subprotocols.count + 2
    protocols = .allocate(capacity: count)
    protocols.initialize(repeating: lws_protocols(), count: count)
    // The first one's name is never sent: it stands for sessions without a subprotocol.
    for (index, name) in (["-"] + subprotocols).enumerated() {
      protocols[index].name = keep(name)
      protocols[index].callback = transportCallback
      protocols[index].rx_buffer_size = readBytes
      // Not used; but only to who has some does the library say that a closing begins.
      protocols[index].per_session_data_size = 1
      protocols[index].id = number
    }
  }

  /// A text that stays; `nil` stays `nil`.
  mutating func keep(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    let characters = text.utf8CString
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    // Safe: the memory is as long as the array from which it is filled.
    for (index, character) in characters.enumerated() {
      (memory + index).initialize(to: character)
    }
    texts.append(memory)
    return UnsafePointer(memory)
  }

  /// Headers for the answers that the library writes by itself, as a list that stays.
  mutating func keep(
    _ headers: [(name: String, value: String)]
  ) -> UnsafePointer<lws_protocol_vhost_options>? {
    var next: UnsafePointer<lws_protocol_vhost_options>?
    for (name, value) in headers.reversed() {
      var header = lws_protocol_vhost_options()
      // The library writes the name with its colon as it is.
      header.name = keep(name.lowercased() + ":")
      header.value = keep(value)
      header.next = next
      let memory = UnsafeMutablePointer<lws_protocol_vhost_options>.allocate(capacity: 1)
      memory.initialize(to: header)
      self.headers.append(memory)
      next = UnsafePointer(memory)
    }
    return next
  }

  /// Gives the memory back, when the context is gone.
  func free() {
    for text in texts { text.deallocate() }
    for header in headers { header.deallocate() }
    protocols.deinitialize(count: count)
    protocols.deallocate()
  }
}
