/** Starts json-server like its command, but on the loopback address; the command listens on every interface. */
import { createApp } from 'json-server/lib/app.js';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';

const data = new Low(new JSONFile(process.argv[2]), {});
await data.read();
createApp(data, { logger: false }).listen(Number(process.env.PORT), undefined, '127.0.0.1');
