purpose="Python 3.9 or newer with venv, for checks and oracles"
packages="python3 python3-venv"

probe() {
  python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 9))'
}
