# Saves every submission as a CSV file, newest first: Rscript list-submissions.R submissions.csv

source("get-json.R")

file <- read_argument(1, "the CSV file")
# Filters are further arguments: read_list("submissions", status = "accepted").
submissions <- read_list("submissions")
write.csv(submissions, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
