purpose="systemd-analyze, in which the unit is tried"
packages="systemd"

probe() {
  systemd-analyze --version
}
