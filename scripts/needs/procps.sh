purpose="ps, by which the tests see what scripts/run leaves"
packages="procps"

probe() {
  ps -e
}
