purpose="SQLite, where timelines are stored"
packages="libsqlite3-dev"

probe() {
  compile sqlite3 '#include <sqlite3.h>
    int main(void) { return sqlite3_libversion() == 0; }'
}
