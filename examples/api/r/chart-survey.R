# Draws the results of a survey as PDF, a page for each question. GET /surveys lists the ids:
#   Rscript chart-survey.R 068cb999-b79c-53f5-9dff-0a19a31d42fa chart.pdf

source("get-json.R")

survey <- get_json(paste0("surveys/", read_argument(1, "the id of the survey"), "/results"))$data
cairo_pdf(read_argument(2, "the PDF file"), width = 9, height = 5, onefile = TRUE)
# Wide margins for the texts of options, which are beside the bars.
par(mar = c(4, 18, 3, 1), las = 1)
for (question in survey$questions) {
  # Questions in people's own words, and questions with too few answers, have no options.
  if (length(question$options) == 0) next
  counts <- sapply(question$options, \(option) option$responseCount)
  # If people may choose several options, shares are shares of the people.
  has_several <- question$questionType == "multiple_choice" || sum(counts) > survey$totalResponses
  total <- if (has_several) survey$totalResponses else sum(counts)
  texts <- sapply(question$options, \(option) option$optionText)
  # barplot() begins at the bottom.
  barplot(rev(100 * counts / max(total, 1)), names.arg = rev(texts), horiz = TRUE, main = question$questionText,
          xlab = "%", xlim = c(0, 100), col = "#1f5f8b", border = NA)
}
invisible(dev.off())
