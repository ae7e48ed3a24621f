import type { Command } from 'commander';
import type { SettingName } from '../../config/settings.ts';
import { demoMunicipalities } from '../../demo/demo-municipalities.ts';
import { invitationPath } from '../../domain/invitation.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { createLogger } from '../../process/logger.ts';
import type { OpenedStore } from '../../store/open.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { settingOption } from '../options.ts';
import { print, printError } from '../output.ts';
import { newInvitation } from './admin.ts';
import { newKey } from './key.ts';
import { lockTimeoutMs, serve, statementTimeoutMs } from './serve.ts';
import { surveyPath } from './survey.ts';

/** Whoever runs the demo may look at all of it. */
const operator = 'demo@rostra.example';

const defaultDatabase = './data/demo.db';

/** Long enough to try things out; a key that was pasted somewhere does not live for ever. */
const keyLifetimeMs = 7 * 86_400_000;

type DemoFlags = Partial<Record<SettingName, string>>;

export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .summary('serve two made-up municipalities')
    .description(
      'Serves two made-up municipalities from a database of their own, and prints a key for each. The data is the same every time.',
    )
    .option('--database <file>', `file for the demo data (default: ${defaultDatabase})`)
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .action(async (flags: DemoFlags) => {
      // ROSTRA_DATABASE is where the real data lies: the demo never goes there.
      const database = flags.database ?? defaultDatabase;
      const logLevel = context.environment.ROSTRA_LOG_LEVEL || 'warn';
      const config = context.config({ ...flags, database, logLevel });
      const log = createLogger(config);
      const store = await context.openStore(config, { create: true, statementTimeoutMs, lockTimeoutMs });
      try {
        await fill(store, database);
        await serve(store, config, log, ({ address }) => present(store, database, address));
        printError('Stopped.');
      } finally {
        await store.close();
        await log.close();
      }
    });
}

/** One transaction for each municipality: it is there as a whole, or the next start writes it. */
async function fill(store: OpenedStore, database: string): Promise<void> {
  const present = await store.listOrganizations();
  const foreign = present.find(
    ({ id }) => !demoMunicipalities.some((municipality) => municipality.id === id),
  );
  if (foreign) {
    throw new CommandError(
      `${database} holds ${foreign.name}, which is not part of the demo. Name another file with --database.`,
    );
  }
  for (const { id, name, records } of demoMunicipalities) {
    const known = present.find((organization) => organization.id === id);
    // A second demo may start at the same moment, and write the same.
    if (known === undefined) await store.addOrganization(name, id).catch(unlessTaken);
    if (known !== undefined && known.submissions > 0) continue;
    printError(`Making up ${name} …`);
    await store.write(id, (writer) => writer.put([...records()]));
  }
}

function unlessTaken(error: unknown): void {
  if (!(error instanceof StoreConflictError)) throw error;
}

/** Of the demo's operator, who chooses a password again with every start. */
async function newLink(store: OpenedStore, address: string): Promise<string> {
  const { secret, invitation } = newInvitation();
  const found = await store.findAdministrator(operator);
  if (found === undefined) await store.addAdministrator(operator, undefined, invitation);
  else await store.replaceInvitation(found.id, invitation);
  return address + invitationPath(secret);
}

async function present(store: OpenedStore, database: string, address: string): Promise<void> {
  const width = Math.max(...demoMunicipalities.map(({ name }) => name.length));
  const lines: string[] = [];
  let firstSecret: string | undefined;
  for (const { id, name } of demoMunicipalities) {
    const { secret, key } = newKey({
      organizationId: id,
      name: 'Demo',
      requestLimit: undefined,
      expiresAt: new Date(Date.now() + keyLifetimeMs).toISOString(),
    });
    await store.addKey(key);
    firstSecret ??= secret;
    lines.push(`  ${name.padEnd(width)}  ${secret}`);
  }
  const surveys = await store.listSurveys(demoMunicipalities[0]?.id ?? '');
  const survey = surveys.find(({ status }) => status === 'closed');
  print(`
Two made-up municipalities are served at ${address}. A key for each, valid for a week:

${lines.join('\n')}

Try it:

  curl -H "Authorization: Bearer ${firstSecret}" "${address}/api/v1/submissions?limit=3"
  curl -H "Authorization: Bearer ${firstSecret}" "${address}${surveyPath(survey?.id ?? '')}"

Every operation, to read and to try: ${address}/docs
The admin area, signed in as ${operator}: ${await newLink(store, address)}
The data lies in ${database}; remove ${database}* to start afresh. Ctrl-C stops.
`);
}
