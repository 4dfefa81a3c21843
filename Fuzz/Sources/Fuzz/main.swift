internal import CLibFuzzer
internal import Foundation
internal import FuzzTargets

// The target is named by FUZZ_TARGET; everything on the command line is libFuzzer's. Without a
// target, or with one that there is not, the names are listed. See scripts/fuzz.
guard FuzzTarget.chosen != nil else {
  for target in FuzzTarget.all { print(target.name) }
  exit(ProcessInfo.processInfo.environment["FUZZ_TARGET"] == nil ? 0 : 2)
}
exit(runFuzzer())
