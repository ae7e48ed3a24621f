/**
 * What a value may not mean: the OpenAPI document and the results for AI assistants say it, and docs/api.md adds figures.
 */
interface Caveat {
  /** What it is about. */
  part: string;
  /** The field of a result that it belongs to. */
  field: string;
  text: string;
  /** For programs. */
  advice?: string;
}

export const caveats: readonly Caveat[] = [
  {
    part: 'Local days',
    field: 'createdAt',
    text: 'timestamps are UTC, and many sources know only a day, which is published as local midnight: in UTC that can be the day before.',
    advice:
      'Use `createdOn` of `/search/submissions` or the months of `/statistics`, or convert timestamps to the `timeZone` of `/organization`, before you count days, months or years.',
  },
  {
    part: '`topicCategoryName`',
    field: 'topicCategoryName',
    text: 'the topic may be the kind of paper, such as motion or question, if the source knows no subjects.',
  },
  {
    part: '`status`',
    field: 'status',
    text: '`in_review` may be old: some sources never say how a matter ended.',
  },
  {
    part: '`statusChangedAt`',
    field: 'statusChangedAt',
    text: 'if it equals `createdAt`, the time of the change is unknown, or the status has never changed. Do not count it as a quick decision.',
  },
  {
    part: '`supportCount`',
    field: 'supportCount',
    text: '0 does not mean that nobody supports the submission: some sources count no support.',
  },
  {
    part: '`timeSlot`',
    field: 'timeSlot',
    text: 'an unknown time is not midnight and not a whole day. A single time is the start; the end is unknown.',
  },
  {
    part: '`protocolUrl`',
    field: 'protocolUrl',
    text: 'the minutes are those of the session that last dealt with the submission. This session need not have decided on it.',
  },
  {
    part: 'Combined options',
    field: 'questions',
    text: 'an option that stands for several options with few responses was not offered in the survey, and combines other options in each question.',
  },
  {
    part: '`/submissions`',
    field: 'submissions',
    text: 'not only citizens submit: depending on the source, many or all submissions are from council groups.',
  },
];
