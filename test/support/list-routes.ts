/** The routes of a server, from its own table. */
import type { FastifyInstance } from 'fastify';

/** Each as `GET, HEAD /path`. Nothing is sent to the server, which is closed. */
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
