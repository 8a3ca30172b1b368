# shellcheck shell=sh disable=SC2034,SC2154 # names of ./gatehouse, which sources it
# To another release, and to another major version of PostgreSQL (docs/decisions/60-upgrades.md).

# What the archive of a release puts into the folder; everything else there is the operator's. The script itself comes last.
RELEASE_FILES='compose.yaml site.Containerfile .env.example README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE docs model programs VERSION gatehouse'
# Of an old container, for its requests under way.
END_SECONDS=40
RELEASE_IMAGES='api print site certbot postgres keycloak'

upgrade() {
  version='' major='' from=. notice='' has_backup=yes is_forget=no
  while [ $# -gt 0 ]; do
    case $1 in
    --from) from="${2:?which folder}" && shift 2 ;;
    --without-backup) has_backup=no && shift ;;
    --notice) notice="${2:?what changed}" && shift 2 ;;
    --postgres) major="${2:?which major version}" && shift 2 ;;
    --forget) is_forget=yes && shift ;;
    [0-9]*.[0-9]*.[0-9]*) version="$1" && shift ;;
    *) usage ;;
    esac
  done
  [ -e .env ] || stop 'There is no .env: run ./gatehouse init first.'
  case "${version:+release} ${major:+postgres} $is_forget" in
  'release  no') upgrade_release ;;
  ' postgres no') upgrade_postgres ;;
  '  yes') forget_clusters ;;
  *) usage ;;
  esac
}

upgrade_release() {
  present="$(setting VERSION)"
  if [ "$version" = "$present" ]; then
    # One that was interrupted is finished.
    exec ./gatehouse replace
  fi
  is_back=no
  if is_older "$version" "$present"; then
    [ "$version" = "$(setting VERSION_BEFORE)" ] ||
      stop "Release $version is older than the one before $present, whose tables it can't use: restore a backup of that time with it, docs/operating.md, \"Back up and restore\"."
    is_back=yes
  fi
  if [ $is_back = no ]; then unpack_release; fi
  [ -e "releases/$version/compose.yaml" ] || stop "The files of release $version are missing in releases/$version."
  bring_images
  back_up_before
  if has_code; then build_site "$version" "releases/$version"; fi
  check_notice
  # Before anything is replaced: the release that serves works with the new tables too.
  if [ $is_back = no ]; then
    echo 'Migrating the database.'
    run_new migrate ||
      stop "The database was not migrated: the reason is above. Release $present serves as before."
  fi
  keep_release "$present"
  put_release "$version"
  keep_databases
  keep_front
  set_setting VERSION_BEFORE "$([ $is_back = yes ] || echo "$present")"
  set_setting VERSION "$version"
  exec ./gatehouse replace
}

# A service of the other release, once.
run_new() {
  (VERSION="$version" && export VERSION && compose --project-directory . --file "releases/$version/compose.yaml" run --rm --no-deps -T "$@" </dev/null)
}

# Its API would refuse to start beside a notice that doesn't say what it stores. The release that serves starts beside a notice that says more.
check_notice() {
  if run_new print; then return; fi
  [ -n "$notice" ] || stop "Nothing was changed. If the privacy notice differs, repeat the command with --notice 'WHAT CHANGED, FOR THE PEOPLE WHOSE DATA IT IS': it publishes a version of the notice for release $version, of today."
  run_new api node api/dist/notice.js --summary "$notice" && run_new print || stop 'Nothing was changed but the notice: the reason is above.'
}

# True if the first version is less than the second.
is_older() { [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

unpack_release() {
  archive="gatehouse-$version.tar.gz"
  check_sum "$archive"
  rm -rf "releases/$version"
  mkdir -p "releases/$version.new"
  tar -C "releases/$version.new" --strip-components=1 -xzf "$from/$archive"
  mv "releases/$version.new" "releases/$version"
}

check_sum() {
  [ -e "$from/$1" ] || stop "$1 is missing: download it and SHA256SUMS into this folder, or name theirs with --from."
  sum="$(awk -v name="$1" '$2 == name { print $1 }' "$from/SHA256SUMS" 2>/dev/null)" || sum=
  [ -n "$sum" ] || stop "SHA256SUMS of release $version is missing beside $1."
  [ "$(sha256sum <"$from/$1" | cut -d' ' -f1)" = "$sum" ] ||
    stop "$1 is not the file that SHA256SUMS names: download it again. Nothing was changed."
}

# From the archive, or from the registry; those of the release before are still there.
bring_images() {
  needed="$RELEASE_IMAGES"
  if has_code; then needed="$needed builder"; fi
  if [ -z "$(missing_images)" ]; then return; fi
  if [ -n "$(setting IMAGE_REGISTRY)" ]; then
    for image in $(missing_images); do docker pull --quiet "$image" >/dev/null || stop "The registry has no $image."; done
    return
  fi
  archive="gatehouse-$version-images-$(docker version --format '{{.Server.Arch}}').tar.gz"
  check_sum "$archive"
  echo 'Loading the images.'
  load_images "$from/$archive"
  [ -z "$(missing_images)" ] || stop "$archive lacks $(missing_images)."
}

missing_images() {
  for name in $needed; do
    docker image inspect "$(images)/$name:$version" >/dev/null 2>&1 || echo "$(images)/$name:$version"
  done
}

back_up_before() {
  if [ "$has_backup" = no ]; then return; fi
  [ -n "$(setting BACKUP_BUCKET)" ] ||
    stop 'There is no bucket, so nothing can be backed up first: name one with ./gatehouse init, or add --without-backup.'
  echo 'Making a backup.'
  backup || stop 'The backup failed: the reason is above. Nothing was changed.'
}

# Its files, to go back to.
keep_release() {
  rm -rf "releases/$1.new"
  mkdir -p "releases/$1.new"
  for file in $RELEASE_FILES; do
    if [ -e "$file" ]; then cp -pR "$file" "releases/$1.new"; fi
  done
  rm -rf "releases/$1"
  mv "releases/$1.new" "releases/$1"
}

# Renamed into place: a shell reads the script while it runs.
put_release() {
  for file in $RELEASE_FILES; do
    rm -rf "releases/unfinished"
    cp -pR "releases/$1/$file" releases/unfinished
    if [ -d "$file" ]; then rm -rf "$file"; fi
    mv releases/unfinished "$file"
  done
}

# A cluster is served by its major version alone, and Keycloak's database by no older Keycloak than has used it.
keep_databases() {
  keeper="$(setting POSTGRES_VERSION)"
  if [ "$(label "postgres:$version" postgres)" = "$(setting POSTGRES_MAJOR)" ]; then
    keeper=
  else
    keeper="${keeper:-$present}"
    echo "PostgreSQL stays $(setting POSTGRES_MAJOR), by the image of release $keeper: docs/operating.md, \"Upgrade and roll back\"."
  fi
  set_setting POSTGRES_VERSION "$keeper"
  keeper="$(setting KEYCLOAK_VERSION)"
  keeper="${keeper:-$present}"
  if ! is_older "$(label "keycloak:$version" keycloak)" "$(label "keycloak:$keeper" keycloak)"; then keeper=; fi
  set_setting KEYCLOAK_VERSION "$keeper"
}

# Another image would be another container, without the ports for a moment.
keep_front() {
  keeper="$(setting FRONT_VERSION)"
  keeper="${keeper:-$present}"
  if [ "$keeper" = "$version" ]; then keeper=; fi
  set_setting FRONT_VERSION "$keeper"
}

label() { docker image inspect --format "{{index .Config.Labels \"gatehouse.$2\"}}" "$(images)/$1"; }

# Run by the release before, as soon as files and settings are those of this one. One service after the other: public pages are
# served throughout, and the API by one replica or the other.
replace() {
  echo 'Replacing the containers.'
  # Without --no-deps, which is part of what Compose compares: the last `up` would replace them once more.
  compose up --detach --wait postgres || failed
  compose up --detach --wait keycloak || failed
  compose up --detach backup || failed
  # Those of this release run before the API.
  compose rm --force migrate print >/dev/null 2>&1
  replace_beside api
  replace_beside site
  up
  remove_old_releases
  before="$(setting VERSION_BEFORE)"
  echo "Release $(setting VERSION) serves.${before:+ Back to the one before: ./gatehouse upgrade $before}"
  doctor
}

# The new container of a service starts beside the old, which ends when it serves.
replace_beside() {
  service="$1"
  old="$(compose ps --all --quiet "$service")"
  compose up --detach --no-recreate --scale "$service=$(($(echo "$old" | wc -w) + 1))" "$service" || failed
  new="$(compose ps --all --quiet "$service" | grep -vxF "$old")"
  tries=0
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$new")" = healthy ]; do
    tries=$((tries + 1))
    if [ "$tries" -ge "$READY_SECONDS" ]; then
      docker logs --tail 15 "$new" >&2
      docker rm --force "$new" >/dev/null
      stop "The service $service of this release does not start; the one before serves on. Correct what it says above and repeat the command, or go back."
    fi
    sleep 1
  done
  for container in $old; do
    docker stop -t "$END_SECONDS" "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}

# This release, the one before, those whose image a database needs, and the image that holds the ports are kept.
remove_old_releases() {
  for folder in releases/*; do
    [ -d "$folder" ] || continue
    name="${folder#releases/}"
    case " $(setting VERSION) $(setting VERSION_BEFORE) $(setting POSTGRES_VERSION) $(setting KEYCLOAK_VERSION) " in
    *" $name "*) continue ;;
    esac
    echo "Removing release $name."
    # By name: two releases may share an image.
    for image in $(docker image ls --format '{{.Repository}}:{{.Tag}}' --filter "reference=$(images)/*:$name" --filter "reference=$(images)/*:$name-site"); do
      [ "$image" = "$(images)/site:$(setting FRONT_VERSION)" ] || docker image rm "$image" >/dev/null || true
    done
    rm -rf "$folder"
  done
}

# The cluster is copied into a volume of its own; if anything fails, the one that there is serves on.
upgrade_postgres() {
  held="$(setting POSTGRES_MAJOR)"
  version="$(setting VERSION)"
  [ "$held" != "$major" ] || stop "PostgreSQL is $held already."
  offered="$(label "postgres:$version" postgres)"
  [ "$offered" = "$major" ] || stop "Release $version has PostgreSQL $offered."
  volume="$(project)_postgres-$major"
  [ -z "$(docker volume ls --quiet --filter "name=^$volume\$")" ] ||
    stop "There is a volume $volume already: remove it if nothing in it is needed, docker volume rm $volume"
  back_up_before
  echo "Copying the databases to PostgreSQL $major. Nobody can sign in or use records until then; public pages are served."
  compose stop keycloak api backup
  trap 'keep_cluster' EXIT
  trap 'exit 1' INT TERM
  (POSTGRES_MAJOR="$major" POSTGRES_VERSION="$version" && export POSTGRES_MAJOR POSTGRES_VERSION &&
    compose run --rm --no-deps -T postgres bash /etc/gatehouse/copy-cluster.sh postgres </dev/null)
  trap - EXIT INT TERM
  set_setting POSTGRES_MAJOR "$major"
  set_setting POSTGRES_VERSION ''
  compose up --detach --wait postgres || failed
  if [ -n "$(setting BACKUP_BUCKET)" ]; then
    compose run --rm --no-deps -T backup bash /etc/gatehouse/backup/upgrade-stanza.sh </dev/null
  fi
  # Without nginx: .env has changed, so the API is replaced, and Compose before 2.35 would replace what depends on it too.
  compose up --detach keycloak backup api || failed
  up
  if [ -n "$(setting BACKUP_BUCKET)" ]; then backup full; fi
  echo "PostgreSQL is $major. The volume of $held is kept; remove it in some days: ./gatehouse upgrade --forget"
}

keep_cluster() {
  compose start api keycloak backup || true
  docker volume rm "$volume" >/dev/null 2>&1 || true
  echo "PostgreSQL is $held as before: the reason is above." >&2
}

forget_clusters() {
  volumes="$(docker volume ls --quiet --filter label=com.docker.compose.volume=database --filter "label=com.docker.compose.project=$(project)")"
  for volume in $volumes; do
    if [ "$volume" = "$(project)_postgres-$(setting POSTGRES_MAJOR)" ]; then continue; fi
    docker volume rm "$volume" >/dev/null
    echo "Removed the volume $volume."
  done
}

project() {
  name="$(setting COMPOSE_PROJECT_NAME)"
  echo "${name:-gatehouse}"
}
