extension Store {
  /// Does what can wait, in short pieces, once nothing else does.
  func tidyLater() {
    guard !isTidying else { return }
    isTidying = true
    thread.call { [weak self] in self?.assumeIsolated { $0.tidy() } }
  }

  func tidy() {
    isTidying = false
    guard state == .open, let rows else { return }
    do {
      let isMore = try rows.tidy()
      if isMore { tidyLater() }
    } catch {
      refuse(error)
    }
  }
}
