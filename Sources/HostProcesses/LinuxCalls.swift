#if canImport(Glibc)
  import Glibc

  /// Calls of the C library that its headers show to GNU programs alone.
  ///
  /// Safe: the types are those of the C library's manual, and a function that it does not have is
  /// nil. That names are looked up while the program runs lets it start where one is missing.
  enum LinuxCalls {
    typealias Pipe = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32

    typealias CloseFrom =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    // Safe: both are the types that the C library's manual gives.

    /// Makes a pipe whose ends have flags from the beginning.
    static let pipe: Pipe? = function("pipe2").map { unsafeBitCast($0, to: Pipe.self) }

    /// Has a process that is being started close all files from a number on; in glibc since 2.34.
    static let closeFrom: CloseFrom? = function("posix_spawn_file_actions_addclosefrom_np").map {
      unsafeBitCast($0, to: CloseFrom.self)
    }

    private static func function(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
  }
#endif
