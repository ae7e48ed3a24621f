/** Platformatic DB with the configuration in the file that it is given, started as its documentation has it. */
import { create } from '@platformatic/db';

const database = await create(process.argv[2], undefined, { serverConfig: { hostname: '127.0.0.1' } });
await database.start({ listen: true });
