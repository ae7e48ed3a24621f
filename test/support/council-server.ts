/** A council's OParl endpoint with objects, and the commands that import it. */
import { assertNoStack, type CommandResult, type Municipality, runCli } from './cli-workspace.ts';
import type { Scope } from './files.ts';
import type { ImportHarness } from './import-harness.ts';
import { type OparlServer, schema, startOparlServer } from './oparl-server.ts';

export interface SyncResult extends CommandResult {
  /** The output of `--json`; empty if the command failed. */
  counts: Record<string, number>;
}

/** Flags of `source run`. Others belong to the source. */
const runFlags = ['--full', '--loosen-redaction'];

export const endpointEnvironment = { ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1' };

const nameSource = (url: string, body = '') => `${url} ${body}`.trim();

export function createSyncCommands({ workspace }: ImportHarness, environment: Record<string, string> = {}) {
  const options = { folder: workspace.folder, environment: { ...endpointEnvironment, ...environment } };
  const compose = (command: string, town: Municipality, name: string, ...flags: string[]) =>
    workspace.withDatabase('source', command, name, '--organization', town.id, ...flags);

  /** Adds the source of the endpoint. */
  async function addEndpoint(town: Municipality, url: string, ...flags: string[]): Promise<CommandResult> {
    const definition = ['--format', 'oparl', '--url', url, '--pause', '1', ...flags];
    const [, body] = flags[0] === '--body' ? flags : [];
    return runCli(compose('add', town, nameSource(url, body), '--if-missing', ...definition), options);
  }

  return {
    addEndpoint,
    /** After `addEndpoint`. */
    composeRun: (town: Municipality, url: string, ...flags: string[]) =>
      compose('run', town, nameSource(url), ...flags),
    /** Runs the source of the endpoint, with flags of the run or of this run's definition. */
    sync: async (town: Municipality, url: string, ...flags: string[]): Promise<SyncResult> => {
      const end = flags.findLastIndex((flag) => runFlags.includes(flag)) + 1;
      const [ofRun, definition] = [flags.slice(0, end), flags.slice(end)];
      const [first = '', body] = definition;
      const name = nameSource(url, first === '--body' ? body : undefined);
      assertNoStack(await addEndpoint(town, url, ...definition));
      if (definition.length > 0) await runCli(compose('edit', town, name, ...definition), options);
      const result = await runCli(compose('run', town, name, '--json', ...ofRun), options);
      if (definition.length > 0 && first !== '--body')
        await runCli(compose('edit', town, name, '--clear', first.slice(2)), options);
      assertNoStack(result);
      return { ...result, counts: result.stdout === '' ? {} : JSON.parse(result.stdout) };
    },
    /** Output of `source list` for the municipality's first source. */
    // biome-ignore lint/suspicious/noExplicitAny: the tests check the output
    readSyncState: async (town: Municipality): Promise<any> => {
      const listed = await runCli(
        workspace.withDatabase('source', 'list', '--organization', town.id, '--json'),
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
