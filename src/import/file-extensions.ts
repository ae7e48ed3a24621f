/** The endings of the files that several formats accept. */
export const jsonExtensions = ['.json', '.ndjson', '.jsonl'];
export const tableExtensions = ['.csv', '.tsv', '.xlsx', '.xlsm', '.ods'];
