purpose="zsh and fish, in which the completions are tried"
packages="fish zsh"

probe() {
  zsh --version && fish --version
}
