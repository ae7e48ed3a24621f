/** Single executables, with Node.js, the program, its assets and its native module. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, readBuild } from '../../src/platform/build-info.ts';
import { checkout, getTargetFolder } from '../package-folder.ts';
import type { Target } from '../targets.ts';
import { addonName, bundleProgram, bundleThread } from './bundle.ts';
import { collectLicenses } from './collect-licenses.ts';
import { findRuntime } from './find-runtime.ts';
import { listProgramAssets, listThreads } from './list-assets.ts';

/** Writes `rostra` with its native module and licences to the folder of each target. */
export async function buildExecutables(targets: readonly Target[], temporaryFolder: string): Promise<void> {
  const bundledFiles = await bundleProgram(temporaryFolder);
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
    buildExecutable(join(runtime, 'bin/node'), join(folder, 'rostra'), assets, temporaryFolder);
    copyFileSync(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
    const licenses = collectLicenses([...bundledFiles, ...programAssets], runtime);
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licenses);
    setModes(folder);
  }
}

/** Other users read the installed files, whatever the umask of the build is. */
function setModes(folder: string): void {
  for (const file of readdirSync(folder)) chmodSync(join(folder, file), file === 'rostra' ? 0o755 : 0o644);
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
    main: 'main.js',
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
