# shellcheck shell=bash
# Parses env files without running them: in `PASSWORD=p$5x` a shell would expand `$5`. Follows systemd's parser of version
# 252 (EnvironmentFile in systemd.exec(5)), so that scripts and services read the same values.

# Sets a variable for each setting in the file $1; after `set -a`, they are exported.
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
    # Before a value, and between its parts.
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
    # A backslash at the end of a line continues it.
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

# Uses the variables of read_env_file. Ignores invalid variable names, like systemd.
keep_setting() {
  state=key
  while [[ $name == *[$' \t\n\r'] ]]; do name="${name%?}"; done
  if [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]]; then declare -g "$name=$value"; fi
}

# Prints a line for an env file: the setting $1 with the value $2, quoted.
env_line() {
  local value=${2//\\/\\\\}
  value=${value//\"/\\\"}
  value=${value//\$/\\\$}
  printf '%s="%s"\n' "$1" "${value//\`/\\\`}"
}
