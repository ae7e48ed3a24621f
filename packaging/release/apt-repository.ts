/** A flat repository: https://wiki.debian.org/DebianRepository/Format#Flat_Repository_Format */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './programs.ts';

/** Writes `Packages`, `Packages.gz` and `Release` for the Debian packages in a folder. */
export function writeAptIndex(folder: string, date: Date): void {
  const files = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  const packages = files.sort().map((file) => describePackage(folder, file));
  const index = Buffer.from(packages.join('\n'));
  const indexes = { Packages: index, 'Packages.gz': gzipSync(index, { level: 9 }) };
  const lines = Object.entries(indexes).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return ` ${hash(content)} ${content.length} ${name}\n`;
  });
  writeFileSync(
    join(folder, 'Release'),
    `Origin: Rostra
Label: Rostra
Suite: stable
Architectures: ${files.map((file) => /_(\w+)\.deb$/.exec(file)?.[1]).join(' ')}
Date: ${date.toUTCString().replace('GMT', 'UTC')}
SHA256:
${lines.join('')}`,
  );
}

function describePackage(folder: string, file: string): string {
  const content = readFileSync(join(folder, file));
  const control = run('dpkg-deb', ['--field', join(folder, file)]);
  return `${control}Filename: ./${file}\nSize: ${content.length}\nSHA256: ${hash(content)}\n`;
}

const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex');
