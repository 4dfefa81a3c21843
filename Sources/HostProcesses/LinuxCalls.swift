#if canImport(Glibc)
  import Glibc

  /// C library calls that the headers declare only for GNU programs.
  ///
  /// Safe: the types are those in the C library's manual, and a missing function is `nil`. Looking
  /// names up at run time lets the program start where one is missing.
  enum LinuxCalls {
    typealias Pipe = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32

    typealias CloseFrom =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    // Safe: both types are those in the C library's manual.

    /// Creates a pipe and sets the flags of its ends in one call.
    static let pipe: Pipe? = function("pipe2").map { unsafeBitCast($0, to: Pipe.self) }

    /// Makes a new process close all files from a number on; in glibc since 2.34.
    static let closeFrom: CloseFrom? = function("posix_spawn_file_actions_addclosefrom_np").map {
      unsafeBitCast($0, to: CloseFrom.self)
    }

    private static func function(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
  }
#endif
