# Starts PostgreSQL clusters for tests. Sourced after common.sh.
#
# A cluster is a scratch folder with data and a Unix socket, without a TCP port. PostgreSQL refuses to
# run as root; then it runs as the user `postgres`, whom the package created.

# postgres_program NAME: the path of a program that is not on the PATH, of the newest version.
postgres_program() {
  local found
  found=$(command -v "$1") && [ "$(id -u)" -ne 0 ] && { echo "$found"; return; }
  for found in $(printf '%s\n' /usr/lib/postgresql/*/bin/"$1" | sort -Vr); do
    [ -x "$found" ] && { echo "$found"; return; }
  done
  command -v "$1"
}

# as_postgres COMMAND…: runs a command as a user for whom PostgreSQL starts.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid postgres --regid postgres --clear-groups -- "$@"
  else
    "$@"
  fi
}

# start_cluster FOLDER [SETTING…]: creates a cluster and starts it; its socket is in FOLDER, its log
# FOLDER/log. Each SETTING is a line of postgresql.conf.
start_cluster() {
  local folder=$1 setting
  shift
  mkdir -p "$folder"
  [ "$(id -u)" -ne 0 ] || chown postgres "$folder"
  as_postgres "$(postgres_program initdb)" -D "$folder/data" -U tests -A trust -E UTF8 --no-locale \
    --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; return 1; }
  {
    echo "listen_addresses = ''"
    echo "unix_socket_directories = '$folder'"
    echo "max_connections = 1000"
    for setting in "$@"; do echo "$setting"; done
  } >>"$folder/data/postgresql.conf"
  as_postgres "$(postgres_program pg_ctl)" -D "$folder/data" -l "$folder/log" -w start >/dev/null ||
    { cat "$folder/log" >&2; return 1; }
}

# resume_cluster FOLDER: starts a cluster that was stopped.
resume_cluster() {
  as_postgres "$(postgres_program pg_ctl)" -D "$1/data" -l "$1/log" -w start >/dev/null ||
    { cat "$1/log" >&2; return 1; }
}

# stop_cluster FOLDER: stops it without waiting for clients.
stop_cluster() {
  as_postgres "$(postgres_program pg_ctl)" -D "$1/data" -m immediate -w stop >/dev/null 2>&1
}

# start_pooler FOLDER [CONNECTIONS]: starts PgBouncer in transaction mode for the cluster in FOLDER; its
# socket is FOLDER/pooler/.s.PGSQL.6432. More stores than server connections (20) have to share these.
start_pooler() {
  local place=$1/pooler
  mkdir -p "$place"
  [ "$(id -u)" -ne 0 ] || chown postgres "$place"
  cat >"$place/pgbouncer.ini" <<END
[databases]
* = host=$1 user=tests
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $place
auth_type = any
pool_mode = transaction
default_pool_size = ${2:-20}
max_client_conn = 400
max_db_connections = ${2:-20}
server_idle_timeout = 2
logfile = $place/log
pidfile = $place/pid
END
  as_postgres "$(PATH=$PATH:/usr/sbin command -v pgbouncer)" -q -d "$place/pgbouncer.ini"
}

# stop_pooler FOLDER: stops it at once.
stop_pooler() {
  [ ! -e "$1/pooler/pid" ] || kill "$(cat "$1/pooler/pid")" 2>/dev/null
}
