internal import CLibFuzzer
internal import FuzzTargets

/// Runs libFuzzer, and returns the exit status.
///
/// Safe: the arguments are the process's own and live as long as it does; the bytes are copied
/// before the target sees them, and libFuzzer keeps them until the callback returns.
func runFuzzer() -> Int32 {
  var count = CommandLine.argc
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
  return LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
  }
}
