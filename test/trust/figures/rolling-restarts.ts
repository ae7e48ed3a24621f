import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../support/concurrent-clients.ts';
import { createTemporaryFolder, type Scope } from '../../support/files.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRequest } from '../../support/http-client.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, getCount, type Tally } from '../tally.ts';

const clientCount = 32;
const nginxFile = '/usr/sbin/nginx';
/** Requests between two restarts. */
const calmMs = 300;
const workers = 3;

const composeConfiguration = (folder: string, port: number, upstreams: readonly number[]) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream rostra {
    ${upstreams.map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`).join('\n    ')}
    keepalive 32;
    keepalive_timeout 5s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://rostra;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_next_upstream error timeout http_503;
    }
  }
}
`;

/** Starts nginx in front of the ports. @returns its port */
async function startNginx(scope: Scope, upstreams: readonly number[]): Promise<number> {
  if (!existsSync(nginxFile)) throw new Error('nginx is missing: apt-get install nginx-light');
  const folder = createTemporaryFolder(scope);
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, composeConfiguration(folder, port, upstreams));
  const nginx = spawn(nginxFile, ['-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(nginx, 'exit');
  scope.after(async () => {
    nginx.kill('SIGTERM');
    await exited;
  });
  await waitUntil('nginx', () =>
    sendRequest(port, '/api/v1/health').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return port;
}

/** Ids of the child processes, from /proc of Linux. */
const listChildren = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '');

/** Clients that send requests through the proxy until they are stopped. */
function startLoad(port: number, key: string, tally: Tally): () => Promise<void> {
  let isStopped = false;
  const run = async () => {
    const client = createClient();
    while (!isStopped) {
      try {
        const { status } = await client.send({ port }, key);
        add(tally, `${status}`);
        if (status !== 200) fail(tally, `a request returned ${status}`);
      } catch (error) {
        fail(tally, `a request failed: ${(error as Error).message}`);
      }
    }
    client.close();
  };
  const running = Promise.all(Array.from({ length: clientCount }, run));
  return async () => {
    isStopped = true;
    await running;
  };
}

async function start({ createFixture, startServer, engine, scope, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const started: ServerProcess[] = [];
  const startLogged = async (settings: Record<string, string>) => {
    const server = await startServer(fixture.database, settings);
    started.push(server);
    return server;
  };
  const startReplica = (port?: number) =>
    startLogged(port === undefined ? {} : { ROSTRA_PORT: String(port) });
  const replicas = await Promise.all([startReplica(), startReplica(), startReplica()]);
  const withWorkers = await startLogged({ ROSTRA_WORKERS: String(workers) });
  const ports = replicas.map(({ port }) => port);
  const proxies = {
    replicas: await startNginx(scope, ports),
    workers: await startNginx(scope, [withWorkers.port]),
  };

  async function restartReplicas(): Promise<void> {
    for (const [index, port] of ports.entries()) {
      const code = await (replicas[index] as ServerProcess).stop();
      if (code !== 0) fail(tally, `a replica ended with ${code}`);
      replicas[index] = await startReplica(port);
      await setTimeout(calmMs);
    }
  }

  /** Sends SIGHUP, and waits until all workers are new. */
  async function restartWorkers(): Promise<void> {
    const before = listChildren(withWorkers.pid);
    process.kill(withWorkers.pid, 'SIGHUP');
    await waitUntil('restarted workers', () => {
      const now = listChildren(withWorkers.pid);
      return now.length >= workers && now.every((pid) => !before.includes(pid));
    });
    await setTimeout(calmMs);
  }

  async function runUnderLoad(port: number, name: string, restart: () => Promise<void>): Promise<void> {
    const stop = startLoad(port, fixture.alice, tally);
    await setTimeout(calmMs);
    await restart();
    await stop();
    add(tally, name);
  }

  return {
    measure: async () => {
      await runUnderLoad(
        proxies.replicas,
        `of ${engine === 'sqlite' ? 'processes' : 'replicas'}`,
        restartReplicas,
      );
      await runUnderLoad(proxies.workers, 'of workers', restartWorkers);
    },
    finish: async () => {
      for (const { lines } of started)
        for (const line of lines.filter((text) => text.includes('"status":503')))
          add(tally, `logged: ${JSON.parse(line).err?.message}`);
    },
  };
}

export const rollingRestarts: Figure = {
  number: 14,
  promise:
    'Behind nginx, no request fails while three instances restart one after another, nor while three workers are restarted by SIGHUP.',
  unit: 'rolling restarts of both kinds',
  fullSize: 20,
  // During one restart, it can happen that no request reaches a server that stops.
  minSize: 3,
  batchSize: 1,
  engines: ['sqlite', 'postgres'],
  minutes: 6,
  defect: {
    description: 'a stopping server answers open connections with 500',
    edits: [
      {
        file: 'src/web/api/dispatcher.ts',
        from: 'if (lifecycle.isStopping) fail(context, createUnavailableError());',
        to: "if (lifecycle.isStopping) fail(context, new Error('stopping'));",
      },
    ],
  },
  start,
  conclude: (tally, done) => ({
    measured: `${done} rolling restarts of each kind, ${formatCount(tally, '200')} requests, ${tally.failureCount} failed`,
    violations: getCount(tally, '200') === 0 ? ['no requests'] : [],
  }),
};
