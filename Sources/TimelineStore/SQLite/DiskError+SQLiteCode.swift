internal import CSQLite
import Foundation

extension DiskError {
  var sqliteCode: Int32 {
    switch code {
    case ENOSPC, EDQUOT: SQLITE_FULL
    case EIO: SQLITE_IOERR
    case EROFS: SQLITE_READONLY
    default: SQLITE_CANTOPEN
    }
  }
}
