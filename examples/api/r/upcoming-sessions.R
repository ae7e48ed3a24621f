# Prints the sessions of today and later, earliest first: Rscript upcoming-sessions.R

source("get-json.R")

# Dates are local dates of the municipality.
zone <- get_json("organization")$data$timeZone
today <- format(Sys.time(), "%Y-%m-%d", tz = zone)

sessions <- read_list("search/sessions", date_from = today)
if (is.null(sessions)) quit()
upcoming <- sessions[, c("date", "timeSlot", "committeeName", "submissionCount")]
upcoming <- upcoming[order(upcoming$date, upcoming$timeSlot), ]
write.table(upcoming, sep = "\t", na = "", quote = FALSE, row.names = FALSE, col.names = FALSE)
