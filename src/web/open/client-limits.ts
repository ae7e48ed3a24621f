/** Limits of each client below /open, where requests have no key. */
import { LRUCache } from 'lru-cache';

/** Further clients replace those whose last request is the oldest. */
export const maxClients = 10_000;

/** Responses to a client at a time: requests that are being answered, and files that it has not read to the end. */
export const maxOpenResponses = 50;

const retryAfterOpenSeconds = 5;

/** Searches of a client: the one that runs, and those that wait for it. */
const maxSearches = 5;

interface Client {
  /** Requests that it may send at once. */
  remaining: number;
  /** From `performance.now()`. */
  refilledMs: number;
  openResponses: number;
  searches: number;
  lastSearch: Promise<unknown>;
}

export interface OpenClient {
  /** Its address or network. */
  address: string;
  /** Runs the searches of a client one after another. @throws ClientLimitError if too many of them wait */
  searchInTurn: <Result>(search: () => Promise<Result>) => Promise<Result>;
}

/** A request that its client may send. */
export interface AllowedRequest extends OpenClient {
  /** Call it once, when the response has ended. */
  end(): void;
}

/** The client has to wait. */
export class ClientLimitError extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('The client sends too many requests.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ClientLimits {
  /**
   * Counts a request.
   *
   * @param client its address or network
   * @returns the seconds after which the client may try again, if it is at a limit
   */
  begin(client: string): AllowedRequest | number;
}

/** @param requestsPerMinute which a client may also send at once */
export function createClientLimits(requestsPerMinute: number): ClientLimits {
  const clients = new LRUCache<string, Client>({ max: maxClients });
  const perMs = requestsPerMinute / 60_000;

  function find(name: string): Client {
    const present = clients.get(name);
    if (present !== undefined) return present;
    const client: Client = {
      remaining: requestsPerMinute,
      refilledMs: performance.now(),
      openResponses: 0,
      searches: 0,
      lastSearch: Promise.resolve(),
    };
    clients.set(name, client);
    return client;
  }

  function refill(client: Client): void {
    const nowMs = performance.now();
    const refilled = client.remaining + (nowMs - client.refilledMs) * perMs;
    client.remaining = Math.min(requestsPerMinute, refilled);
    client.refilledMs = nowMs;
  }

  return {
    begin: (name) => {
      const client = find(name);
      if (client.openResponses >= maxOpenResponses) return retryAfterOpenSeconds;
      refill(client);
      if (client.remaining < 1) return Math.ceil((1 - client.remaining) / perMs / 1_000);
      client.remaining -= 1;
      client.openResponses += 1;
      return {
        address: name,
        searchInTurn: (search) => searchInTurn(client, search),
        end: () => {
          client.openResponses -= 1;
        },
      };
    },
  };
}

function searchInTurn<Result>(client: Client, search: () => Promise<Result>): Promise<Result> {
  if (client.searches >= maxSearches) return Promise.reject(new ClientLimitError(retryAfterOpenSeconds));
  client.searches += 1;
  const found = client.lastSearch.then(search).finally(() => {
    client.searches -= 1;
  });
  client.lastSearch = found.catch(() => undefined);
  return found;
}
