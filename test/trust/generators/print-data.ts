/** What both programs print: the data that they read, as one line of JSON. */
interface ReadData {
  submissions: { id: string; referenceNumber?: string | null }[];
  sessions: { data: unknown[] } | undefined;
  survey: { data: { questions: unknown[] } } | undefined;
  missing: { code: string } | undefined;
  /** A text of each change. */
  texts: string[] | undefined;
}

export function printData({ submissions, sessions, survey, missing, texts }: ReadData): void {
  console.log(
    JSON.stringify({
      ids: submissions.map(({ id }) => id),
      referenceNumbers: submissions.map(({ referenceNumber }) => referenceNumber?.length ?? null),
      sessions: sessions?.data.length,
      questions: survey?.data.questions.length,
      missing: missing?.code,
      texts: texts?.toSorted(),
    }),
  );
}
