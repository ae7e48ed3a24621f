import { getInvitationPath } from '../../../domain/accounts/one-time-link.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { isLoopbackHost } from '../../config/setting-parsers.ts';
import { type Config, listSettings } from '../../config/settings.ts';
import { demoMunicipalities } from '../../demo/generate-demo-municipalities.ts';
import { publishMunicipality } from '../../demo/publish-municipality.ts';
import { createQueueLauncher } from '../../process/import-processes/queue-launcher.ts';
import { createLogger } from '../../process/logger.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand, option, settingOption } from '../define-command.ts';
import { print, printError } from '../output.ts';
import { createSecretInvitation, getLocalUrl } from './admin.ts';
import { generateNewKey } from './key.ts';
import { lockTimeoutMs, serve, statementTimeoutMs } from './serve.ts';
import { formatSurveyPath } from './survey.ts';

/** Email address of an account that sees both municipalities. */
const operatorEmail = 'demo@rostra.example';

const defaultDatabase = './data/demo.db';

/** Demo keys expire, because they are often pasted into other programs. */
const keyLifetimeMs = 7 * 86_400_000;

/** `src/program/demo/` generates the data. */
export const addDemoCommand = defineCommand({
  name: 'demo',
  summary: 'try Rostra with sample data',
  description:
    'Serves two fictitious municipalities from a separate database and prints an API key for each. The data is the same every time.',
  options: {
    database: option('file', `file for the demo data (default: ${defaultDatabase})`),
    host: settingOption('host'),
    port: settingOption('port'),
  },
  run: async (flags, context) => {
    // Not ROSTRA_DATABASE, which may hold real data.
    const database = flags.database ?? defaultDatabase;
    const logLevel = context.environment.ROSTRA_LOG_LEVEL || 'warn';
    // The demo must not send emails to real addresses.
    const given = { ...flags, database, logLevel, smtpUrl: '' };
    const config = withLocalUrl(context.readConfig(given, listSettings('serve', 'import')));
    const log = createLogger(config);
    const store = await context.openStore(config, { create: true, statementTimeoutMs, lockTimeoutMs });
    try {
      await fill(store, database);
      const launcher = createQueueLauncher(given, context.readVariables, log.log);
      await serve(store, config, log, launcher, ({ address }) => present(store, database, address));
      printError('Stopped.');
    } finally {
      await store.close();
      await log.close();
    }
  },
});

/** Feeds and catalogues have links. On other addresses, and on a port that the system chooses, the demo lacks them. */
const withLocalUrl = (config: Config): Config =>
  config.publicUrl === undefined && config.port !== 0 && isLoopbackHost(config.host)
    ? { ...config, publicUrl: getLocalUrl(config, config.port) }
    : config;

async function fill(store: OpenedStore, database: string): Promise<void> {
  const existing = await store.listOrganizations();
  const foreign = existing.find(
    ({ id }) => !demoMunicipalities.some((municipality) => municipality.id === id),
  );
  if (foreign) {
    throw new CommandError(
      `${database} contains ${foreign.name}, which is not part of the demo. Choose another file with --database.`,
    );
  }
  for (const municipality of demoMunicipalities) {
    const { id, name, organization, readLogo } = municipality;
    // Another demo process may add it at the same time.
    if (!existing.some((each) => each.id === id)) {
      await store.addOrganization(name, id).catch(ignoreConflict);
      await store.editOrganization(id, { ...organization, logo: readLogo() });
    }
    await publishMunicipality(store, municipality, () => printError(`Generating sample data for ${name} …`));
  }
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof StoreConflictError)) throw error;
}

/** Creates a new link with each start, to set the password of the operator. */
async function renewInvitationUrl(store: OpenedStore, address: string): Promise<string> {
  const { secret, invitation } = createSecretInvitation();
  const found = await store.findAccount(operatorEmail);
  if (found === undefined) await store.addAccount({ email: operatorEmail, organizationId: null }, invitation);
  else await store.replaceInvitation(found.id, invitation);
  return address + getInvitationPath(secret);
}

async function present(store: OpenedStore, database: string, address: string): Promise<void> {
  const width = Math.max(...demoMunicipalities.map(({ name }) => name.length));
  const lines: string[] = [];
  let firstSecret: string | undefined;
  for (const { id, name } of demoMunicipalities) {
    const { secret, key } = generateNewKey({
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
  const open = await store.listOpenData('', demoMunicipalities.length);
  const openData = open.map(
    ({ slug }, index) => `${index === 0 ? 'Open data:      ' : ' '.repeat(16)}${address}/open/${slug}\n`,
  );
  print(`
Rostra serves two fictitious municipalities at ${address}

API keys (valid for one week):

${lines.join('\n')}

Try it:

  curl -H "Authorization: Bearer ${firstSecret}" "${address}/api/v1/submissions?limit=3"
  curl -H "Authorization: Bearer ${firstSecret}" "${address}${formatSurveyPath(survey?.id ?? '')}"

${openData.join('')}Documentation:  ${address}/docs
Admin area:     ${await renewInvitationUrl(store, address)}
                (choose a password, then sign in as ${operatorEmail})

The data is in ${database}. To start again, delete ${database}*.
Press Ctrl-C to stop.
`);
}
