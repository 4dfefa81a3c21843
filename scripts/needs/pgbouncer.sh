purpose="PgBouncer, behind which the store is tried"
packages="pgbouncer"

# Debian has it in a folder for administrators.
probe() {
  PATH=$PATH:/usr/sbin command -v pgbouncer
}
