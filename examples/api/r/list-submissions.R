# Saves every submission as a CSV file, newest first. Further arguments are filters:
#   Rscript list-submissions.R submissions.csv status=accepted "topic=Parks & trees"

source("get-json.R")

file <- read_argument(1, "the CSV file")
arguments <- commandArgs(trailingOnly = TRUE)[-1]
filters <- setNames(as.list(sub("^[^=]*=?", "", arguments)), sub("=.*", "", arguments))
submissions <- do.call(read_list, c("submissions", filters))
write.csv(submissions, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
