#!/bin/bash
# Installs another release of Gatehouse on this server, without a failed request: one whose archive and SHA256SUMS are in a folder, or the
# one before, which is still installed. Anything older is a restore.
#
#   upgrade.sh VERSION [--from FOLDER] [--without-backup] [--notice TEXT]
set -euo pipefail
umask 022

HERE="$(cd "$(dirname "$(readlink -f "$0")")" && pwd)"
# shellcheck source=ops/env-file.sh
. "$HERE/../env-file.sh"
# shellcheck source=ops/server/common.sh
. "$HERE/common.sh"

VERSION="${1:?which version}" && shift
ARCHIVE=gatehouse-$VERSION.tar.gz
FOLDER=. HAS_BACKUP=yes
while [ $# -gt 0 ]; do
  case $1 in
  --from) FOLDER="${2:?which folder}" && shift 2 ;;
  --without-backup) HAS_BACKUP=no && shift ;;
  --notice) export NOTICE_SUMMARY="${2:?what changed}" && shift 2 ;;
  *) stop "There is no option \"$1\"." ;;
  esac
done

main() {
  local installed
  installed="$(installed_release)"
  if [ ! -e "$FOLDER/$ARCHIVE" ]; then
    [ -n "$installed" ] || stop "$ARCHIVE is not in $FOLDER, and release $VERSION is not installed any more: bring the archive, or restore a backup."
    back_up
    exec "$installed/ops/install.sh"
  fi
  (cd "$FOLDER" && grep -E " \*?$ARCHIVE\$" SHA256SUMS | sha256sum --check --status) ||
    stop "$FOLDER/$ARCHIVE is not what SHA256SUMS beside it says: fetch both again."
  back_up
  UNPACKED="$(mktemp -d -p $HOME_DIR)"
  trap 'rm -rf "$UNPACKED"' EXIT
  tar -C "$UNPACKED" --strip-components=1 --no-same-owner -xzf "$FOLDER/$ARCHIVE"
  "$UNPACKED/programs/ops/install.sh"
}

# Only those that serve or served last are kept.
installed_release() {
  local release
  for release in $HOME_DIR/current $HOME_DIR/previous; do
    if [ -e "$release" ] && [ "$(version_of "$release")" = "$VERSION" ]; then readlink -f "$release" && return; fi
  done
}

back_up() {
  if [ $HAS_BACKUP = no ]; then return; fi
  [ -n "$(setting_of $ETC/backup.env BACKUP_BUCKET)" ] ||
    stop 'There is no bucket to back up into before the upgrade: name one with gatehouse init, or add --without-backup.'
  say 'Backup'
  systemctl start gatehouse-backup.service || stop 'The backup failed, so nothing was changed: journalctl -u gatehouse-backup'
}

main
