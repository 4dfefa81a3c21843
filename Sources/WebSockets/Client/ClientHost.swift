internal import CLibWebsockets

/// A libwebsockets vhost for outgoing connections. Connections with the same trust share it.
///
/// Safe: the pointer is used only on the loop, and not after the context is destroyed.
struct ClientHost {
  let pointer: OpaquePointer
  private let texts: HostTexts

  /// - Parameter name: The name in the library's log.
  /// - Returns: `nil` when the authorities' certificates cannot be read.
  init?(_ context: Context, _ trust: TLSTrust?, name: String, readBytes: Int) {
    var texts = HostTexts([], number: 0, readBytes: readBytes)
    var info = lws_context_creation_info()
    info.port = shim_port_none()
    info.protocols = UnsafePointer(texts.protocols)
    info.vhost_name = texts.keep(name)
    // Empty, because otherwise the library uses the environment's proxy.
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
      // The library frees the vhost later, and uses the texts until then.
      lws_vhost_destroy(pointer)
      return nil
    }
  }

  /// Frees the memory, after the context is destroyed.
  func free() { texts.free() }
}
