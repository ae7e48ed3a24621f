# Prints the sessions of today and later, earliest first: Rscript upcoming-sessions.R

source("get-json.R")

# Dates are local dates of the municipality.
zone <- get_json("organization")$data$timeZone
today <- format(Sys.time(), "%Y-%m-%d", tz = zone)

sessions <- read_list("sessions")
upcoming <- sessions[sessions$date >= today, c("date", "timeSlot", "committeeName", "submissionCount")]
upcoming <- upcoming[order(upcoming$date, upcoming$timeSlot), ]
write.table(upcoming, sep = "\t", na = "", quote = FALSE, row.names = FALSE, col.names = FALSE)
