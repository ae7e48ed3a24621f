#!/bin/sh
# Prints every submission as one line of JSON, newest first. Arguments are filters:
#   sh list-submissions.sh status=accepted "topic=Parks & trees" > submissions.ndjson
set -eu
. "$(dirname "$0")/get-json.sh"

for filter; do
  shift
  set -- "$@" --data-urlencode "$filter"
done

after=
while :; do
  page=$(get_json "submissions?limit=100$after" "$@")
  printf '%s\n' "$page" | jq --compact-output '.data[]'
  cursor=$(printf '%s\n' "$page" | jq --raw-output '.pagination.next_cursor // ""')
  [ -n "$cursor" ] || break
  after="&cursor=$cursor"
done
