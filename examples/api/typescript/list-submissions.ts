/**
 * Prints every submission as one line of JSON, newest first. Arguments are filters:
 *
 *     node list-submissions.ts status=accepted "topic=Parks & trees" > submissions.ndjson
 */
import { client } from './client.ts';

const filters = Object.fromEntries(
  process.argv.slice(2).map((argument) => {
    const [name, ...value] = argument.split('=');
    return [name, value.join('=')];
  }),
);
for await (const submission of client.submissions(filters)) console.log(JSON.stringify(submission));
