#!/bin/sh
# Installs the Node version of package.json, and an npm of the same age, into a folder, with Debian's npm, whose own Node is
# too old for our packages' native modules. A second argument names another processor than this machine's: x64 or arm64.
#
#   ops/bring-node.sh /usr/local/gatehouse-node; export PATH="/usr/local/gatehouse-node/bin:$PATH"
set -eu

NPM_VERSION=11.19.1
folder="${1:?where to}"
case "${2:-$(uname -m)}" in
x86_64 | x64) cpu=x64 ;;
aarch64 | arm64) cpu=arm64 ;;
*) echo "No Node is available for ${2:-$(uname -m)}" >&2 && exit 1 ;;
esac
name="node-linux-$cpu"
version="$(sed -nE "s/.*\"$name\": \"([0-9.]+)\".*/\\1/p" "$(dirname "$0")/../package.json")"

mkdir -p "$folder/bin"
# --force: npm refuses a package of another processor that is named, whatever --cpu says.
npm install --force --prefix "$folder" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error \
    --cpu="$cpu" "$name@$version" "npm@$NPM_VERSION"
cp "$folder/node_modules/$name/bin/node" "$folder/bin/node"
ln -sf ../node_modules/npm/bin/npm-cli.js "$folder/bin/npm"
