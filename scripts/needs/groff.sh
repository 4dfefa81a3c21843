purpose="groff, in which the man page is tried"
packages="groff-base"

probe() {
  printf '.TH A 1\n.SH NAME\na \\- b\n' | groff -man -ww -Tutf8 -z
}
