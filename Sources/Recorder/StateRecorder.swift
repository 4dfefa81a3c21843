/// Records machines: every event, and what it did to the state.
///
/// ```swift
/// let recorder = StateRecorder(app: "Commute")
/// let form = recorder.record(StateForm(state: [1]), as: "numbers")
/// form.apply { $0.append(2) }
/// ```
///
/// It finds a running daemon by itself, and does no harm without one. A recorded step costs the
/// machine's thread a few stores; everything else happens on the recorder's own thread.
///
/// Releasing the recorder ends the recording, so keep it as long as the machines. Machines that
/// outlive it run on unrecorded, and the log says so once. Without the package trait `Recording`
/// nothing is recorded.
public final class StateRecorder: Sendable {
  /// The implementation; nil when nothing is recorded.
  @usableFromInline package let core: RecorderCore?

  /// Creates a recorder for an app.
  ///
  /// - Parameters:
  /// - app: The app's name, as the inspector shows it.
  /// - options: Where and how to record. Environment variables override them.
  public convenience init(app: String, options: RecorderOptions = RecorderOptions()) {
    self.init(app: app, options: options, environment: .current)
  }

  /// Creates a recorder with the given environment variables.
  package init(app: String, options: RecorderOptions, environment: RecorderEnvironment) {
    core = RecorderCore.make(app: app, options: options, environment: environment)
  }

  /// Creates a recorder around an existing core.
  init(core: RecorderCore?) {
    self.core = core
  }

  deinit {
    core?.armOrphanWarning()
    core?.end()
  }

  /// Whether the recorder records: false with `DEBUGD=off`, or without the package trait
  /// `Recording`.
  public var isRecording: Bool { core != nil }

  /// What the recorder has done so far.
  public var statistics: RecorderStatistics { core?.statistics ?? RecorderStatistics() }

  /// Waits until every event sent so far is written, and stored if there is a daemon.
  ///
  /// - Returns: Whether that happened within the time limit.
  @discardableResult
  public func flush(within time: Duration = .seconds(1)) -> Bool {
    core?.flush(within: time) ?? true
  }

  /// Ends the recording: writes every event sent so far, and closes the timelines. Later events are
  /// not recorded.
  ///
  /// - Returns: Whether everything was written within the time limit.
  @discardableResult
  public func close(within time: Duration = .seconds(1)) -> Bool {
    core?.close(within: time) ?? true
  }
}
