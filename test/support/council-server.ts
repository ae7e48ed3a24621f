/** A council's OParl endpoint with objects, and the commands that synchronize from it. */
import { assertNoStack, type CommandResult, type Municipality, runCli } from './cli-workspace.ts';
import type { Scope } from './files.ts';
import type { ImportHarness } from './import-harness.ts';
import { type OparlServer, schema, startOparlServer } from './oparl-server.ts';

export interface SyncResult extends CommandResult {
  /** The output of `--json`; empty if the command failed. */
  counts: Record<string, number>;
}

export function createSyncCommands({ workspace }: ImportHarness) {
  const composeSyncArguments = (town: Municipality, url: string, ...flags: string[]) =>
    workspace.withDatabase('sync', 'oparl', url, '--organization', town.id, '--pause', '1', ...flags);
  return {
    composeSyncArguments,
    sync: async (town: Municipality, url: string, ...flags: string[]): Promise<SyncResult> => {
      const result = await runCli(composeSyncArguments(town, url, '--json', ...flags), {
        folder: workspace.folder,
      });
      assertNoStack(result);
      return { ...result, counts: result.stdout === '' ? {} : JSON.parse(result.stdout) };
    },
    /** Output of `sync list` for the municipality's first endpoint. */
    // biome-ignore lint/suspicious/noExplicitAny: the tests check the output
    readSyncState: async (town: Municipality): Promise<any> => {
      const listed = await runCli(
        workspace.withDatabase('sync', 'list', '--organization', town.id, '--json'),
      );
      return JSON.parse(listed.stdout)[0];
    },
  };
}

export const createServedOrganization = (at: string, name = 'Gemeinderat') => ({
  id: `${at}/organizations/1`,
  type: `${schema}Organization`,
  name,
});
export const createServedPaper = (at: string, n: number, more: object = {}) => ({
  id: `${at}/papers/${n}`,
  type: `${schema}Paper`,
  paperType: 'Antrag',
  name: `Antrag ${n}`,
  date: '2026-03-01',
  consultation: [{ id: `${at}/consultations/${n}`, type: `${schema}Consultation` }],
  ...more,
});
export const createServedMeeting = (at: string, n: number, items: unknown[], more: object = {}) => ({
  id: `${at}/meetings/${n}`,
  type: `${schema}Meeting`,
  name: 'Sitzung',
  start: `2026-03-1${n}T16:30:00+01:00`,
  organization: [`${at}/organizations/1`],
  agendaItem: items,
  ...more,
});
export const createServedItem = (at: string, n: number, result?: string) => ({
  id: `${at}/items/${n}`,
  type: `${schema}AgendaItem`,
  order: n,
  number: String(n),
  consultation: `${at}/consultations/${n}`,
  ...(result === undefined ? {} : { result }),
});

/** Starts an endpoint with three papers, and a meeting with a decision on the first. */
export async function startCouncilServer(
  scope: Scope,
  tls?: { key: string; cert: string },
): Promise<OparlServer> {
  const server = await startOparlServer(scope, tls);
  const at = server.origin;
  server.lists = {
    organization: [createServedOrganization(at)],
    paper: [1, 2, 3].map((n) => createServedPaper(at, n)),
    meeting: [
      createServedMeeting(at, 1, [
        createServedItem(at, 1, 'einstimmig beschlossen'),
        createServedItem(at, 2),
      ]),
    ],
  };
  return server;
}
