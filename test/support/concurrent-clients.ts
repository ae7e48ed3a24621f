/** Many concurrent clients in one process, each with its own connection. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { checkAnswer, loadContract } from './contract.ts';
import { type Answer, headerRecord } from './http-client.ts';
import type { Server } from './server.ts';

const target = '/api/v1/me';

export interface Client {
  /** @throws if the connection breaks; the request may have been counted */
  ask(server: Server, key: string): Promise<Answer>;
  close(): void;
}

export function createClient(): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: async ({ port }, key) => {
      const headers = { authorization: `Bearer ${key}` };
      const request = sendRequest({ agent, host: '127.0.0.1', port, path: target, headers });
      request.setTimeout(120_000, () => request.destroy(new Error('No response within two minutes')));
      request.end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return {
        status: response.statusCode as number,
        headers: headerRecord(response.rawHeaders),
        text: Buffer.concat(chunks).toString(),
      };
    },
    close: () => agent.destroy(),
  };
}

export async function askOnce(server: Server, key: string): Promise<Answer> {
  const client = createClient();
  const answer = await client.ask(server, key);
  client.close();
  return answer;
}

/** Checks responses against the contract, afterwards, because the check would slow the clients down. */
export async function checkAnswers(server: Server, answers: readonly Answer[]): Promise<void> {
  const contract = await loadContract(server.port);
  for (const answer of answers) checkAnswer(contract, { method: 'GET', target, keyed: true }, answer);
}

export interface Rush {
  /** So far, in order of arrival. */
  answers: (Answer & { server: Server })[];
  /** Requests whose connection broke before the response. */
  broken: number;
  /** Resolves after `count` responses. */
  waitForAnswers(count: number): Promise<void>;
  finished: Promise<void>;
}

export interface RushOptions {
  /** Distributed over the clients. The clients of a starting process wait for it. */
  replicas: (Server | Promise<Server>)[];
  key: string;
  clients: number;
  /** Of all clients together. */
  requests: number;
  /** Awaited before each request. Receives the number of the client, from 0, and the number of responses so far. */
  before?: (client: number, answered: number) => unknown;
}

/** Starts clients that send one request at a time. */
export function startRush({ replicas, key, clients, requests, before }: RushOptions): Rush {
  const waiting = new Map<number, () => void>();
  let sent = 0;

  async function run(number: number): Promise<void> {
    const client = createClient();
    while (sent < requests) {
      sent += 1;
      await before?.(number, rush.answers.length);
      const server = (await replicas[number % replicas.length]) as Server;
      try {
        const answer = await client.ask(server, key);
        rush.answers.push({ ...answer, server });
        waiting.get(rush.answers.length)?.();
      } catch {
        rush.broken += 1;
      }
    }
    client.close();
  }

  const rush: Rush = {
    answers: [],
    broken: 0,
    waitForAnswers: (count) =>
      new Promise((resolve) => {
        if (rush.answers.length >= count) resolve();
        else waiting.set(count, resolve);
      }),
    finished: Promise.resolve(),
  };
  rush.finished = Promise.all(Array.from({ length: clients }, (_, number) => run(number))).then(
    () => undefined,
  );
  return rush;
}
