#!/bin/sh
# Prints the sessions of today and later, earliest first: date, time, committee, number of submissions on the agenda.
#   sh upcoming-sessions.sh
set -eu
. "$(dirname "$0")/get-json.sh"

# Dates are local dates of the municipality. `date` needs the time zone database (Debian: the package tzdata).
organization=$(get_json organization)
zone=$(printf '%s\n' "$organization" | jq --raw-output .data.timeZone)
today=$(TZ=$zone date +%Y-%m-%d)

upcoming=
after=
while :; do
  page=$(get_json "search/sessions?date_from=$today&limit=100$after")
  upcoming="$upcoming
$(printf '%s\n' "$page" | jq --raw-output '
    .data[] | [.date, .timeSlot // "", .committeeName, .submissionCount] | @tsv')"
  cursor=$(printf '%s\n' "$page" | jq --raw-output '.pagination.next_cursor // ""')
  [ -n "$cursor" ] || break
  after="&cursor=$cursor"
done
printf '%s\n' "$upcoming" | sed '/^$/d' | sort
