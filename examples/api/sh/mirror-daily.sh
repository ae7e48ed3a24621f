#!/bin/sh
# Keeps a copy of all data in a file. The first run fills it, later runs request only the changes:
#   sh mirror-daily.sh copy.ndjson
# The first line of the copy has the cursor, each other line an object: {"kind", "id", "data"}, and the further fields of
# /changes beside them, such as "title". A run that fails changes nothing.
set -eu
. "$(dirname "$0")/get-json.sh"

copy=${1:?is missing: sh mirror-daily.sh FILE}
previous=$copy
[ -e "$copy" ] || previous=/dev/null
cursor=$(head -n 1 "$previous" | jq --raw-output .cursor)

# Beside the copy, because a file is replaced in one step only within a file system.
folder=$(mktemp -d "$copy.XXXXXX")
trap 'rm -rf "$folder"' EXIT

: > "$folder/changes"
while :; do
  if page=$(get_json "changes?limit=1000${cursor:+&cursor=$cursor}"); then
    printf '%s\n' "$page" | jq --compact-output '.data[]' >> "$folder/changes"
    cursor=$(printf '%s\n' "$page" | jq --raw-output .pagination.next_cursor)
    [ "$(printf '%s\n' "$page" | jq .pagination.has_more)" = true ] || break
  else
    # The cursor is not part of the current data, for example after the restore of a backup: make the copy anew.
    [ "$(printf '%s\n' "$page" | jq --raw-output .code)" = RESYNC_REQUIRED ] || exit 1
    previous=/dev/null
    cursor=
    : > "$folder/changes"
  fi
done

# An object that changed during the run is in several pages: INDEX keeps its last state.
jq --null-input --compact-output --arg cursor "$cursor" --slurpfile changes "$folder/changes" '
  INDEX($changes[]; .kind + .id) as $changed
  | {$cursor},
    (inputs | select(.kind and ($changed[.kind + .id] | not))),
    ($changed[] | select(.deleted | not) | del(.deleted))
' "$previous" > "$folder/copy"
mv "$folder/copy" "$copy"
