internal import CLibFuzzer
internal import Foundation
internal import FuzzTargets

// FUZZ_TARGET names the target, and libFuzzer gets the command line. Without a target, or with an
// unknown one, this lists the names. See scripts/fuzz.
guard FuzzTarget.chosen != nil else {
  for target in FuzzTarget.all { print(target.name) }
  exit(ProcessInfo.processInfo.environment["FUZZ_TARGET"] == nil ? 0 : 2)
}
exit(runFuzzer())
