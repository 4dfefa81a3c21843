internal import CLibWebsockets

/// One of the library's hosts for connections that go out: those with the same trust share it.
///
/// Safe: the pointer is used on the loop alone, and forgotten when the context is gone.
struct ClientHost {
  let pointer: OpaquePointer
  private let texts: HostTexts

  /// - Parameter name: What the library's log calls it.
  /// - Returns: `nil` when the authorities' certificates cannot be read.
  init?(_ context: Context, _ trust: TLSTrust?, name: String, readBytes: Int) {
    var texts = HostTexts([], number: 0, readBytes: readBytes)
    var info = lws_context_creation_info()
    info.port = shim_port_none()
    info.protocols = UnsafePointer(texts.protocols)
    info.vhost_name = texts.keep(name)
    // Empty, because the library would otherwise take one from the environment.
    info.http_proxy_address = texts.keep("")
    info.options = shim_client_options(0)
    if case .authority(let path) = trust {
      info.options = shim_client_options(1)
      info.client_ssl_ca_filepath = texts.keep(path)
    }
    guard let pointer = lws_create_vhost(context.pointer, &info) else {
      texts.free()
      return nil
    }
    self.pointer = pointer
    self.texts = texts
    guard trust == nil || lws_init_vhost_client_ssl(&info, pointer) == 0 else {
      // The library frees the host in its own time, and so the texts are left to it.
      lws_vhost_destroy(pointer)
      return nil
    }
  }

  /// Gives the memory back, when the context is gone.
  func free() { texts.free() }
}
