/** The tables of a database, each after those that it refers to. */

/** Rows of one municipality each; row-level security stands around them. */
export const publishedTables = [
  'submission',
  'session',
  'session_submission',
  'survey',
  'survey_question',
  'survey_option',
] as const;

/** Who may ask: read before it is known which municipality asks. */
export const accessTables = ['organization', 'api_key', 'key_use', 'cursor_secret'] as const;
