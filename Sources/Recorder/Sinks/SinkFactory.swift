enum SinkFactory {
  /// Makes the sink for a destination. If this build has none for it, logs that and returns nil.
  static func makeSink(
    _ destination: RecordingDestination, _ context: SinkContext
  ) -> (any TimelineSink & Sendable)? {
    switch destination {
    case .memory(let sink): sink
    case .file(let path): FileSink(path, log: context.options.log)
    case .daemon(let daemon): makeDaemonSink(daemon, context)
    }
  }

  private static func makeDaemonSink(
    _ daemon: DaemonDestination, _ context: SinkContext
  ) -> (any TimelineSink & Sendable)? {
    DaemonSink.make(daemon, context, handler: context.handler)
  }
}
