/// Records machines: every event, and what it did to the state.
///
/// ```swift
/// let recorder = StateRecorder(app: "Commute")
/// let form = recorder.record(StateForm(state: [1]), as: "numbers")
/// form.apply { $0.append(2) }
/// ```
///
/// It finds a running daemon by itself, and is harmless without one. A machine is recorded where it
/// runs: a step costs its thread a few stores, and everything else happens on a thread of the
/// recorder's own.
///
/// The recording ends when the recorder goes away, so keep it as long as the machines; those that go
/// on without it are not disturbed, and the log says so once. Without the package trait `Recording` it records nothing.
public final class StateRecorder: Sendable {
  /// What does the work; nil when nothing is to be recorded.
  @usableFromInline package let core: RecorderCore?

  /// Begins to record an app.
  ///
  /// - Parameters:
  ///   - app: The app's name, as the inspector shows it.
  ///   - options: Where to, and how. The environment overrides it.
  public convenience init(app: String, options: RecorderOptions = RecorderOptions()) {
    self.init(app: app, options: options, environment: .current)
  }

  /// Begins to record an app in a given environment.
  package init(app: String, options: RecorderOptions, environment: RecorderEnvironment) {
    core = RecorderCore.make(app: app, options: options, environment: environment)
  }

  /// A recorder that has its core already.
  init(core: RecorderCore?) {
    self.core = core
  }

  deinit {
    core?.leaveMachines()
    core?.end()
  }

  /// Whether anything is recorded: not when `DEBUGD=off`, nor without the package trait `Recording`.
  public var isRecording: Bool { core != nil }

  /// What was done so far.
  public var statistics: RecorderStatistics { core?.statistics ?? RecorderStatistics() }

  /// Waits until everything that was sent before is written, and stored by the daemon when there is
  /// one.
  ///
  /// - Returns: Whether that was so before the time was up.
  @discardableResult
  public func flush(within time: Duration = .seconds(1)) -> Bool {
    core?.flush(within: time) ?? true
  }

  /// Ends the recording: writes what was sent before, closes the timelines, and takes nothing more.
  ///
  /// - Returns: Whether everything was written before the time was up.
  @discardableResult
  public func close(within time: Duration = .seconds(1)) -> Bool {
    core?.close(within: time) ?? true
  }
}
