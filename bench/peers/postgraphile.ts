/** PostGraphile with its Amber preset, configured for production and without mutations. */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const server = createServer();
await postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'] })],
  schema: { defaultBehavior: '-insert -update -delete' },
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
})
  .createServ(grafserv)
  .addTo(server);
server.listen(Number(process.env.PORT), '127.0.0.1');
