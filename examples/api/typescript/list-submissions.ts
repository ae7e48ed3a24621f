/** Prints every submission as one line of JSON, newest first: node list-submissions.ts > submissions.ndjson */
import { client } from './client.ts';

// Filters are options: client.submissions({ status: 'accepted' }).
for await (const submission of client.submissions()) console.log(JSON.stringify(submission));
