/** Starts Platformatic DB with a configuration file, as its documentation describes. */
import { create } from '@platformatic/db';

const database = await create(process.argv[2], undefined, { serverConfig: { hostname: '127.0.0.1' } });
await database.start({ listen: true });
