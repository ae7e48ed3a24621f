#!/bin/sh
# Prints every submission as one line of JSON, newest first. Arguments are options of curl, such as filters:
#   sh list-submissions.sh --data-urlencode "topic=Parks & trees" > submissions.ndjson
set -eu
. "$(dirname "$0")/get-json.sh"

after=
while :; do
  page=$(get_json "submissions?limit=100$after" "$@")
  printf '%s\n' "$page" | jq --compact-output '.data[]'
  cursor=$(printf '%s\n' "$page" | jq --raw-output '.pagination.next_cursor // ""')
  [ -n "$cursor" ] || break
  after="&cursor=$cursor"
done
