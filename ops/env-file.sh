# shellcheck shell=bash
# Settings are read, not run: in `PASSWORD=p$5x` a shell would put something in place of `$5`. A file is read as systemd reads
# it for the services (EnvironmentFile in systemd.exec(5), its parser of version 252), so anyone who reads it sees the same.

# Makes a variable of each setting in the file $1; with `set -a` before, they are exported.
read_env_file() {
  local LC_ALL=C text char state=key name='' value='' length=0 place
  text="$(cat -- "$1" && printf .)" || return
  text="${text%.}"
  for ((place = 0; place < ${#text}; place++)); do
    char="${text:place:1}"
    case $state in
    key)
      case $char in
      [\#\;]) state=comment ;;
      [$' \t\n\r']) ;;
      *) state=name name=$char ;;
      esac
      ;;
    name)
      case $char in
      [$'\n\r']) state=key ;;
      =) state=before value='' ;;
      *) name+=$char ;;
      esac
      ;;
    # Before a value, and between the parts of one.
    before)
      case $char in
      [$'\n\r']) keep_setting ;;
      \') state=single ;;
      \") state=double ;;
      \\) state=escape ;;
      [$' \t\n\r']) ;;
      *) state=plain value+=$char length=${#value} ;;
      esac
      ;;
    plain)
      case $char in
      [$'\n\r']) value="${value:0:length}" && keep_setting ;;
      \\) state=escape ;;
      [$' \t\n\r']) value+=$char ;;
      *) value+=$char length=${#value} ;;
      esac
      ;;
    # A line that ends in a backslash goes on in the next.
    escape)
      state=plain
      if [[ $char != [$'\n\r'] ]]; then value+=$char; fi
      length=${#value}
      ;;
    single) if [ "$char" = \' ]; then state=before; else value+=$char; fi ;;
    double)
      case $char in
      \") state=before ;;
      \\) state=double-escape ;;
      *) value+=$char ;;
      esac
      ;;
    double-escape)
      state=double
      case $char in
      [\"\\\`\$]) value+=$char ;;
      [$'\n']) ;;
      *) value+=\\$char ;;
      esac
      ;;
    comment)
      case $char in
      [$'\n\r']) state=key ;;
      \\) state=comment-escape ;;
      esac
      ;;
    comment-escape) state=comment ;;
    esac
  done
  case $state in
  plain) value="${value:0:length}" && keep_setting ;;
  before | escape | single | double | double-escape) keep_setting ;;
  esac
}

# Of read_env_file, whose variables it uses. What is no name of a variable is left out, as systemd does.
keep_setting() {
  state=key
  while [[ $name == *[$' \t\n\r'] ]]; do name="${name%?}"; done
  if [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]]; then declare -g "$name=$value"; fi
}

# A line for such a file: the setting $1 with the value $2, whatever is in it.
env_line() {
  local value=${2//\\/\\\\}
  value=${value//\"/\\\"}
  value=${value//\$/\\\$}
  printf '%s="%s"\n' "$1" "${value//\`/\\\`}"
}
