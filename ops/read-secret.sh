# Sourced by the start scripts of the images. Secrets are read here, not passed: `docker inspect` shows the environment.

# The secret of a name; ends with a sentence if it is missing or has fewer characters than its second argument.
read_secret() {
  local file="${SECRETS_DIR:-/run/secrets}/$1" least="$2"
  [ -s "$file" ] || { echo "The secret $1 is missing: ./gatehouse init makes it" >&2; exit 1; }
  [ "$(wc -c <"$file")" -ge "$least" ] || { echo "The secret $1 must have at least $least characters" >&2; exit 1; }
  cat "$file"
}
