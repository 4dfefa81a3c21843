purpose="Chromium, for long runs of the page, measurements, and pictures"
packages="chromium"

probe() {
  chromium --version
}
