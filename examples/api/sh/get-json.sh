# A function for the samples in this folder, for every POSIX shell. It needs curl 7.76 and jq 1.6.

: "${BASE:?is not set. It is the base URL of the API, such as https://data.example.org/api/v1}"
: "${KEY:?is not set. It is the API key}"
BASE=${BASE%/}

# Prints the JSON of one resource: get_json submissions --data limit=100
# If the request fails, it prints the body of the response, explains the error on standard error, and returns a status
# other than 0. curl repeats requests after 429, 503 and other temporary errors, after Retry-After seconds.
get_json() (
  resource=$1
  shift
  # A file, because curl empties it before it repeats a request. Output to a pipe would be the parts of all attempts.
  body=$(mktemp)
  trap 'rm -f "$body"' EXIT
  # The key comes from standard input, because other users of the machine see the arguments of commands.
  # Redirects are errors: the other address may not be trusted with the key.
  if printf 'Authorization: Bearer %s\n' "$KEY" |
    curl --silent --show-error --compressed --fail-with-body --location --max-redirs 0 --retry 5 --max-time 60 \
      --header @- --output "$body" --get "$@" "$BASE/$resource"; then
    page=$(cat "$body")
    case $page in
      "{"*) printf '%s\n' "$page" ;;
      *) fail "The response is not JSON. Check BASE." ;;
    esac
  else
    cat "$body"
    reason=$(jq --raw-output .error "$body" 2>/dev/null)
    fail "${reason:-Check BASE.}"
  fi
)

fail() {
  printf 'GET %s/%s failed. %s\n' "$BASE" "$resource" "$1" >&2
  exit 1
}
