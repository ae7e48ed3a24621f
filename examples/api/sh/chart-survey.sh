#!/bin/sh
# Draws the results of a survey as text. GET /surveys lists the ids:
#   sh chart-survey.sh 068cb999-b79c-53f5-9dff-0a19a31d42fa
set -eu
. "$(dirname "$0")/get-json.sh"

results=$(get_json "surveys/${1:?must be the id of a survey: sh chart-survey.sh ID}/results")
printf '%s\n' "$results" | jq --raw-output '
  .data
  | .totalResponses as $people
  | "\(.title) (\($people) responses)",
    ( .questions[]
      | ([.options[].responseCount] | add) as $answers
      # Several answers of one person: shares of the people. One answer: shares of the answers.
      | (if .questionType == "multiple_choice" or $answers > $people then $people else $answers end) as $all
      | "\n\(.questionText)",
        (if $answers then empty else "  no figures published" end),
        ( .options[]
          | (if $all > 0 then 100 * .responseCount / $all else 0 end) as $percent
          | "  \("█" * ($percent / 2.5 | round) // "") \($percent | round) % (\(.responseCount)) \(.optionText)"
        )
    )'
