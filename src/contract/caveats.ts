/**
 * What a value may not mean, by the field that has it. Results for AI assistants quote these sentences, and docs/api.md begins with
 * them where it gives the figures.
 */
export const caveats: Readonly<Record<string, string>> = {
  submissions:
    'Not only citizens submit: in a council information system, the submissions are motions and questions, mostly of council groups, and the data does not say who submitted.',
  createdAt:
    'Timestamps are UTC, and many sources know only a day, which is published as local midnight: count days by `createdOn`.',
  status: 'A status such as `in_review` may be old, because some sources do not record how a matter ended.',
  statusChangedAt: 'A `statusChangedAt` that equals `createdAt` may be unknown.',
  topicCategoryName: 'A topic may be the kind of paper, such as a motion, instead of a subject.',
  supportCount:
    '0 supporters do not mean that nobody supports the submission: some sources count no support.',
  protocolUrl:
    'The minutes are those of the session that last dealt with the submission, which need not have decided on it.',
  timeSlot:
    'A session without a time has an unknown time; a single time is the start, and the end is unknown.',
  questions:
    'An option such as `Weitere Antworten` combines options with few responses, and a question without options had too few.',
};
