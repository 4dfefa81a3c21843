purpose="PostgreSQL, on which the store is tried"
packages="postgresql"

# Debian has its programs on no path.
probe() {
  command -v initdb || ls /usr/lib/postgresql/*/bin/initdb
}
