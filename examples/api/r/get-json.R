# Requests for the samples in this folder. They need R 4.1 and httr2: install.packages(c("httr2", "jsonlite"))
# Run the samples in this folder, because they read this file.

library(httr2)

# Without a UTF-8 locale, such as in a program that cron starts, R writes "ä" as "<U+00E4>".
if (!l10n_info()[["UTF-8"]] && Sys.setlocale("LC_CTYPE", "C.UTF-8") == "") stop("Set LANG to a UTF-8 locale")

# Returns the JSON of a resource, such as get_json("submissions", limit = 100). httr2 repeats the request after 429 and
# 503, when Retry-After has passed. An error ends Rscript with exit code 1.
# simplify: whether lists of objects become data frames
get_json <- function(resource, ..., simplify = FALSE) {
  request(read_variable("BASE")) |>
    req_url_path_append(resource) |>
    req_url_query(...) |>
    req_auth_bearer_token(read_variable("KEY")) |>
    # A redirect must not pass the key on to another address.
    req_options(followlocation = FALSE) |>
    req_timeout(60) |>
    req_retry(max_tries = 6) |>
    req_error(is_error = \(response) resp_status(response) != 200, body = read_error) |>
    req_perform() |>
    resp_body_json(simplifyVector = simplify)
}

read_error <- function(response) {
  tryCatch(resp_body_json(response)$error, error = \(error) "Check BASE.")
}

# Returns all pages of a list as one data frame. Null is NA.
read_list <- function(resource, ...) {
  pages <- list()
  cursor <- NULL
  repeat {
    page <- get_json(resource, limit = 100, cursor = cursor, ..., simplify = TRUE)
    if (length(page$data) > 0) pages <- c(pages, list(page$data))
    if (!page$pagination$has_more) break
    cursor <- page$pagination$next_cursor
  }
  do.call(rbind, pages)
}

read_argument <- function(position, meaning) {
  arguments <- commandArgs(trailingOnly = TRUE)
  if (length(arguments) < position) stop("Argument ", position, " is missing: ", meaning, call. = FALSE)
  arguments[position]
}

read_variable <- function(name) {
  value <- Sys.getenv(name)
  if (value == "") stop("The environment variable ", name, " is missing", call. = FALSE)
  value
}
