/** Measures the performance figures of a release, and stores the output of each command in `bench/figures/`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Scripts of package.json with their options, by the file in `bench/figures/`. */
const figures = {
  rows: { title: 'Requests', command: 'bench -- --rounds 5' },
  peers: { title: 'Other servers', command: 'bench -- --rows none --peers' },
  'growth-sqlite': { title: 'Growth on SQLite', command: 'bench:growth' },
  'growth-postgres': {
    title: 'Growth on PostgreSQL',
    command: 'bench:growth -- --engine postgres --largest 10000000',
  },
  import: { title: 'Imports', command: 'bench:import' },
  words: { title: 'Searches by words', command: 'bench:words' },
  metrics: { title: 'Metrics and traces', command: 'bench:metrics' },
};

type FigureName = keyof typeof figures;

const names = Object.keys(figures) as FigureName[];

const help = `Usage: npm run bench:figures -- [options] [NAME…]

Measures the performance figures of a release on a quiet machine, which takes hours, and stores them in bench/figures.

  NAME        only these: ${names.join(', ')}
  --report    print the report of the stored figures, and measure nothing
  --help      show this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const folder = join(import.meta.dirname, 'figures');
const getFile = (name: FigureName) => join(folder, `${name}.md`);

if (values.help) console.log(help);
else if (values.report) process.stdout.write(formatReport());
else measure();

function measure(): void {
  const unknown = positionals.filter((name) => !names.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`unknown figures: ${unknown.join(', ')}. See --help.`);
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    encoding: 'utf8',
  });
  mkdirSync(folder, { recursive: true });
  for (const name of names.filter((some) => positionals.length === 0 || positionals.includes(some))) {
    const { command } = figures[name];
    console.error(`npm run ${command}`);
    const output = execFileSync('npm', ['run', '--silent', ...command.split(' ')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const machine = `${availableParallelism()} processors (${cpus()[0]?.model.trim()}), Node.js ${process.version}`;
    const head = `\`npm run ${command}\`, ${new Date().toISOString().slice(0, 10)}, commit \`${commit.trim()}\`; ${machine}.`;
    writeFileSync(getFile(name), `${head}\n\n${output.trim()}\n`);
  }
}

function formatReport(): string {
  const sections = names.map((name) => {
    const { title, command } = figures[name];
    const text = existsSync(getFile(name))
      ? readFileSync(getFile(name), 'utf8').trim()
      : `\`npm run ${command}\`: **not measured**`;
    return `## ${title}\n\n${text}\n`;
  });
  return `# Performance figures

Each section names the command and the commit with which it was measured. Compare figures of one machine only.

The load comes from the same machine, over 32 connections. *Ratio* is the share of the requests a second that a bare \`node:http\`
server reaches with the same bytes and headers, in alternating rounds. *Processor* is the time of all threads of the server, with
those of PostgreSQL. "All different" pages follow cursors, none of which is requested twice, so they come from the database. Half
load is half of the measured requests a second.

${sections.join('\n')}`;
}
