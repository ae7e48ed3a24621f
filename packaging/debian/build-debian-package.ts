/** The Debian package of a target, from its executable. Needs `dpkg-deb`. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createBashCompletion } from '../../src/program/cli/completion/bash-completion.ts';
import { describeCommand } from '../../src/program/cli/completion/command-words.ts';
import { createFishCompletion } from '../../src/program/cli/completion/fish-completion.ts';
import { createZshCompletion } from '../../src/program/cli/completion/zsh-completion.ts';
import { createCommandContext, createProgram } from '../../src/program/run-command.ts';
import { listDocuments } from '../documents.ts';
import { maintainers } from '../maintainers.ts';
import { checkout, getTargetFolder, packageFolder, version } from '../package-folder.ts';
import type { Target } from '../targets.ts';
import { createConfigurationFile } from './configuration-file.ts';
import { createCommandPage, createConfigurationPage } from './manual-pages.ts';
import { createSystemdUnits, scheduledCommands } from './systemd-units.ts';

/** The newest versions of symbols that the executable of Node.js 26 needs are those of glibc 2.34 and GCC 11. */
const dependencies = 'adduser, libatomic1, libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11)';

const maintainer = `${maintainers.name} <${maintainers.email}>`;

/**
 * Writes `rostra_<version>_<architecture>.deb` to the folder of packages. Packages of the same files and date are equal,
 * byte by byte.
 *
 * @param date of the changes
 */
export async function buildDebianPackage(target: Target, date: Date, temporaryFolder: string): Promise<void> {
  const root = join(temporaryFolder, `debian-${target.architecture}`);
  const folder = getTargetFolder(target);
  for (const [name, mode] of [
    ['rostra', 0o755],
    ['better-sqlite3.node', 0o644],
  ] as const)
    installFile(root, `usr/lib/rostra/${name}`, readFileSync(join(folder, name)), mode);
  installFile(root, 'usr/bin/rostra', readScript('rostra'), 0o755);
  installFile(root, 'usr/share/rostra/rostra.conf', createConfigurationFile());
  for (const [name, text] of Object.entries(createSystemdUnits()))
    installFile(root, `usr/lib/systemd/system/${name}`, text);
  await installCompletions(root);
  await installDocumentation(root, folder, date);
  const installedKibibytes = Number(
    execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0],
  );
  installFile(root, 'DEBIAN/control', createControl(target, installedKibibytes));
  for (const name of ['postinst', 'prerm', 'postrm'])
    installFile(root, `DEBIAN/${name}`, readScript(name), 0o755);
  const output = join(packageFolder, `rostra_${version}_${target.architecture}.deb`);
  // Level 1 takes a fifth of the default level's time, and the package is a tenth larger.
  await promisify(execFile)('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', root, output], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1_000) },
  });
}

function installFile(root: string, name: string, content: string | Buffer, mode = 0o644): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** Replaces @UNITS@ and @TIMERS@ by the names of the units. */
function readScript(name: string): string {
  const timers = scheduledCommands.map((each) => `rostra-${each.name}.timer`);
  const units = ['rostra.service', ...timers, ...timers.map((timer) => timer.replace('.timer', '.service'))];
  return readFileSync(join(import.meta.dirname, 'scripts', name), 'utf8')
    .replace('@UNITS@', units.join(' '))
    .replace('@TIMERS@', timers.map((timer) => `timers.target.wants/${timer}`).join(' '));
}

async function installCompletions(root: string): Promise<void> {
  const words = describeCommand(await createProgram(createCommandContext({})));
  installFile(root, 'usr/share/bash-completion/completions/rostra', createBashCompletion(words));
  installFile(root, 'usr/share/zsh/vendor-completions/_rostra', createZshCompletion(words));
  installFile(root, 'usr/share/fish/vendor_completions.d/rostra.fish', createFishCompletion(words));
}

async function installDocumentation(root: string, folder: string, date: Date): Promise<void> {
  const release = { version, date };
  const compress = (text: string | Buffer) => gzipSync(text, { level: 9 });
  const documentation = 'usr/share/doc/rostra';
  installFile(root, 'usr/share/man/man1/rostra.1.gz', compress(await createCommandPage(release)));
  installFile(root, 'usr/share/man/man5/rostra.conf.5.gz', compress(createConfigurationPage(release)));
  installFile(root, `${documentation}/copyright`, createCopyright(folder));
  installFile(root, `${documentation}/changelog.gz`, compress(createChangelog(date)));
  installFile(root, `${documentation}/NEWS.md.gz`, compress(readFileSync(join(checkout, 'CHANGELOG.md'))));
  const licenses = readFileSync(join(folder, 'THIRD-PARTY-LICENSES'));
  installFile(root, `${documentation}/THIRD-PARTY-LICENSES.gz`, compress(licenses));
  for (const name of listDocuments())
    installFile(root, `${documentation}/${name}`, readFileSync(join(checkout, name)));
  for (const [file, path] of Object.entries(examples))
    installFile(root, `${documentation}/examples/${path}`, readFileSync(join(checkout, file)));
  const overrides = readFileSync(join(import.meta.dirname, 'lintian-overrides'));
  installFile(root, 'usr/share/lintian/overrides/rostra', overrides);
}

/** The files that operators copy, with their path below `examples/`. */
const examples: Readonly<Record<string, string>> = {
  'examples/provisioning/two-municipalities.yaml': 'provisioning/two-municipalities.yaml',
  'examples/proxies/nginx.conf': 'proxies/nginx.conf',
  'examples/proxies/Caddyfile': 'proxies/Caddyfile',
  'packaging/monitoring/rostra.rules.yml': 'monitoring/rostra.rules.yml',
  'packaging/monitoring/rostra.rules.test.yml': 'monitoring/rostra.rules.test.yml',
  'packaging/monitoring/grafana-dashboard.json': 'monitoring/grafana-dashboard.json',
};

const createControl = ({ architecture }: Target, installedKibibytes: number) => `Package: rostra
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${installedKibibytes}
Depends: ${dependencies}
Suggests: nginx | caddy, postgresql
Section: web
Priority: optional
Description: read-only API for citizen participation data of municipalities
 Rostra publishes the submissions, council sessions, support tallies and survey
 results of municipalities as a JSON API. Each API key reads one municipality
 and has an exact rate limit. Imports read files and endpoints of common
 participation and council systems.
 .
 The data is in an SQLite file or in PostgreSQL. The package contains Node.js.
`;

const createChangelog = (date: Date) => `rostra (${version}) stable; urgency=medium

  * See NEWS.md.gz.

 -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}
`;

/** In the format of Debian: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/ */
function createCopyright(folder: string): string {
  const license = readFileSync(join(folder, 'LICENSE'), 'utf8').trimEnd();
  const indented = license.split('\n').map((line) => ` ${line.trimEnd() === '' ? '.' : line.trimEnd()}`);
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Rostra
Comment: THIRD-PARTY-LICENSES.gz has the licences of Node.js and of all libraries in the executable.

Files: *
Copyright: The authors of Rostra
License: EUPL-1.2
${indented.join('\n')}
`;
}
