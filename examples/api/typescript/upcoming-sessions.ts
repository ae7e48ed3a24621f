/** Prints the sessions of today and later, earliest first: node upcoming-sessions.ts */
import type { FoundSession } from 'rostra-client';
import { client } from './client.ts';

// Dates are local dates of the municipality. Canadian English writes them as YYYY-MM-DD.
const { timeZone } = await client.organization();
const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format();

const upcoming: FoundSession[] = [];
for await (const session of client.searchSessions({ date_from: today })) upcoming.push(session);

const formatStart = ({ date, timeSlot }: FoundSession) => `${date} ${timeSlot ?? ''}`;
upcoming.sort((a, b) => (formatStart(a) < formatStart(b) ? -1 : 1));
for (const { date, timeSlot, committeeName, submissionCount } of upcoming)
  console.log([date, timeSlot ?? '', committeeName, submissionCount].join('\t'));
