# Keeps a copy of all data in a file of R. The first run fills it, later runs request only the changes:
#   Rscript mirror-daily.R copy.rds
# readRDS("copy.rds")$objects has the objects by kind and id, such as objects[["survey 068cb999-…"]].

source("get-json.R")

# The object with its further fields, such as the title and the answer of a submission. The data of deleted objects is null.
join_fields <- function(change) {
  if (is.null(change$data)) return(NULL)
  c(change$data, change[setdiff(names(change), c("kind", "id", "deleted", "data"))])
}

# Applies everything that changed after the cursor of the copy. Without a cursor, that is all data.
apply_changes <- function(copy) {
  repeat {
    page <- get_json("changes", limit = 1000, cursor = copy$cursor)
    keys <- vapply(page$data, \(change) paste(change$kind, change$id), "")
    copy$objects[keys] <- lapply(page$data, join_fields)
    copy$cursor <- page$pagination$next_cursor
    if (!page$pagination$has_more) break
  }
  copy$objects <- Filter(Negate(is.null), copy$objects)
  copy
}

file <- read_argument(1, "the file of the copy")
empty <- list(cursor = NULL, objects = list())
copy <- if (file.exists(file)) readRDS(file) else empty
# 410: the cursor is not part of the current data, for example after the restore of a backup. Make the copy anew.
copy <- tryCatch(apply_changes(copy), httr2_http_410 = \(error) apply_changes(empty))

# The new copy replaces the previous one in one step, together with its cursor.
saveRDS(copy, paste0(file, ".new"))
if (!file.rename(paste0(file, ".new"), file)) stop("The copy cannot be replaced")
