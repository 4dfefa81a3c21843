import Recorder

// The first argument selects a scene; each is a file next to this one.
guard let name = CommandLine.arguments.dropFirst().first, let scene = Scene.named(name) else {
  print("usage: RecorderProbe \(Scene.all.map(\.name).joined(separator: "|"))")
  Scene.exit(64)
}
scene.play(Array(CommandLine.arguments.dropFirst(2)))
