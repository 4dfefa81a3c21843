purpose="what the Swift toolchain itself stands on"
packages="binutils gcc git libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 libpython3.11"
packages+=" libsqlite3-0 libstdc++-12-dev libxml2 libz3-4 tzdata zlib1g-dev"
packages_13="binutils gcc git libc6-dev libcurl4t64 libedit2 libgcc-14-dev libncurses6 libpython3.13"
packages_13+=" libsqlite3-0 libstdc++-14-dev libxml2 libz3-4 tzdata zlib1g-dev"

# A C++ program compiles and links, and no tool of the toolchain lacks a shared library.
probe() {
  local bin
  bin=$(dirname "$(readlink -f "$(command -v swift)")")
  command -v git || { echo "there is no git"; return 1; }
  ! ldd "$bin"/{swift-frontend,swift-build,swift-format,clang} | grep "not found" || return 1
  compile "" '#include <string>
    int main() { return std::string("").size(); }' cpp
}
