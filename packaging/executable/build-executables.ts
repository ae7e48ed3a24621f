/** Single executables, with Node.js, the program, its assets and its native module. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Build, readBuild } from '../../src/platform/build-info.ts';
import { checkout, getTargetFolder, type Program, programs } from '../package-folder.ts';
import type { Target } from '../targets.ts';
import { addonName, bundleProgram, bundleThread } from './bundle.ts';
import { collectLicenses } from './collect-licenses.ts';
import { findRuntime } from './find-runtime.ts';
import { listProgramAssets, listThreads } from './list-assets.ts';

/** Writes `rostra` and `rostra-mirror` with their native module and licences to the folder of each target. */
export async function buildExecutables(targets: readonly Target[], temporaryFolder: string): Promise<void> {
  const bundledFiles = [];
  for (const [program, entry] of Object.entries(entries))
    bundledFiles.push(...(await bundleProgram(entry, join(temporaryFolder, `${program}.js`))));
  const programAssets = listProgramAssets();
  const assets = Object.fromEntries(programAssets.map((name) => [name, findFile(name)]));
  for (const module of listThreads()) {
    assets[`${module}.js`] = join(temporaryFolder, `${module}.js`);
    await bundleThread(`${module}.ts`, assets[`${module}.js`] as string);
  }
  for (const target of targets) {
    const runtime = findRuntime(target, temporaryFolder);
    const folder = getTargetFolder(target);
    mkdirSync(folder, { recursive: true });
    copyFileSync(
      findFile(`node_modules/better-sqlite3/prebuilds/${target.name}.node`),
      join(folder, addonName),
    );
    assets[addonName] = join(folder, addonName);
    assets['src/platform/build.json'] = join(temporaryFolder, 'build.json');
    const build: Build = { ...readBuild(), form: `executable for ${target.name}` };
    writeFileSync(assets['src/platform/build.json'], JSON.stringify(build));
    const ownAssets = { rostra: assets, 'rostra-mirror': { [addonName]: assets[addonName] as string } };
    for (const program of programs)
      buildExecutable(join(runtime, 'bin/node'), join(folder, program), ownAssets[program], temporaryFolder);
    copyFileSync(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
    const licenses = collectLicenses([...bundledFiles, ...programAssets], runtime);
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licenses);
    setModes(folder);
  }
}

/** Paths in the checkout. */
const entries: Readonly<Record<Program, string>> = {
  rostra: 'src/main.ts',
  'rostra-mirror': 'packages/mirror/src/bin.ts',
};

/** Other users read the installed files, whatever the umask of the build is. */
function setModes(folder: string): void {
  for (const file of readdirSync(folder))
    chmodSync(join(folder, file), (programs as readonly string[]).includes(file) ? 0o755 : 0o644);
}

const findFile = (name: string) => join(checkout, name);

function buildExecutable(
  runtime: string,
  output: string,
  assets: Record<string, string>,
  temporaryFolder: string,
): void {
  const configuration = join(temporaryFolder, 'sea.json');
  const content = {
    // The executable contains this path.
    main: `${basename(output)}.js`,
    mainFormat: 'module',
    executable: runtime,
    output,
    disableExperimentalSEAWarning: true,
    // A tenth less memory for the same processor time (docs/decisions/0081). V8 reads it only at the start of a process.
    execArgv: ['--max-semi-space-size=12'],
    assets,
  };
  writeFileSync(configuration, JSON.stringify(content));
  execFileSync(process.execPath, ['--build-sea', configuration], {
    cwd: temporaryFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
