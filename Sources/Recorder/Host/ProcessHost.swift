package import Wire

#if canImport(Glibc)
  package import HostProcesses
  import Timelines

  /// Runs reducers in another process: an executable that calls `ReducerHost`, usually the app's
  /// own.
  package final class ProcessHost: ReducerRunner {
    private let process: HostProcess
    private let machines: [String]

    /// Creates a host for an executable. `makes` lists what it can make, as far as that is known
    /// before it runs.
    package init?(
      _ executable: HostExecutable, makes: [String], limits: HostLimits = HostLimits()
    ) {
      var settings = HostProcess.Settings(executable)
      settings.limits.milliseconds = limits.milliseconds
      settings.limits.bytes = limits.bytes
      settings.limits.messageBytes = limits.messageBytes
      guard let process = HostProcess(settings) else { return nil }
      self.process = process
      machines = makes
    }

    package var offer: FromRecorder.HostOffer {
      FromRecorder.HostOffer {
        $0.place = .process
        $0.makes = machines
        $0.keeps = true
      }
    }

    package func reduce(_ reduce: ToRecorder.Reduce, answer: CommandAnswer) {
      guard let id = answer.id else { return }
      process.reduce(reduce, id: id) { part in
        switch part {
        case .reduced(let reduced): answer.reduced(reduced)
        case .error(let error): answer.error(error.code, error.message, path: error.path)
        case .greeted, .confirmed: return
        }
      }
    }

    package func cancel(_ request: RequestID) { process.cancel(request) }

    package func cancelAll() { process.cancelAll() }

    package func stop() { process.stop() }
  }

  extension HostExecutable {
    /// The executable of this process, even if its file was replaced since.
    package static var own: HostExecutable {
      HostExecutable(path: "/proc/self/exe", arguments: Array(CommandLine.arguments.dropFirst()))
    }
  }
#endif
