/** A calendar month with its first timestamp, and the first timestamp of the next month. */
export interface Month {
  month: string;
  first: string;
  next: string;
}

/** The months between two timestamps, latest first. */
export function listMonths(oldest: string, newest: string, timeZone: string): Month[] {
  const toMonth = (at: string) =>
    Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth();
  const startOf = (month: Temporal.PlainYearMonth) =>
    new Date(month.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).epochMilliseconds).toISOString();
  const months: Month[] = [];
  const first = toMonth(oldest);
  for (let month = toMonth(newest); Temporal.PlainYearMonth.compare(month, first) >= 0; ) {
    months.push({ month: month.toString(), first: startOf(month), next: startOf(month.add({ months: 1 })) });
    month = month.subtract({ months: 1 });
  }
  const [latest] = months;
  // Year 10000 has another form, and sorts before all others.
  if (latest !== undefined) latest.next = '~';
  return months;
}
