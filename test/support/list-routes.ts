/** Lists the routes of a Fastify server from its route table. */
import type { FastifyInstance } from 'fastify';

/** Closes the server. @returns routes such as `GET, HEAD /path` */
export async function listRoutes(app: FastifyInstance): Promise<string[]> {
  await app.ready();
  const table = app.printRoutes({ commonPrefix: false });
  await app.close();
  const found: string[] = [];
  const parents: string[] = [];
  for (const line of table.split('\n')) {
    const parts = /^([│ ]*)[├└]── (\S*)( \(([A-Z, ]+)\))?$/.exec(line);
    if (parts === null) continue;
    parents.length = (parts[1] as string).length / 4;
    parents.push(parts[2] as string);
    if (parts[4] !== undefined) found.push(`${parts[4]} ${parents.join('')}`);
  }
  return found;
}
