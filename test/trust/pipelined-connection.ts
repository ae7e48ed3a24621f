/** A client that sends many requests at once on one connection, for millions of requests. It checks nothing. */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface PipelinedResponse {
  status: number;
  /** Status line and header fields. */
  head: string;
  body: string;
}

export interface PipelinedConnection {
  /** Sends GET requests for the targets and reads their responses in order. @throws if the connection ends */
  send(requests: readonly PipelinedRequest[]): Promise<PipelinedResponse[]>;
  close(): void;
}

export interface PipelinedRequest {
  /** Path and query. */
  target: string;
  key?: string;
}

const compose = ({ target, key }: PipelinedRequest) =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`;

export async function openPipelinedConnection(port: number): Promise<PipelinedConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let received = '';
  let endError: Error | undefined;
  let notify = () => {};
  const end = (error?: Error) => {
    endError ??= error ?? new Error('the server closed the connection');
    notify();
  };
  socket
    .setEncoding('latin1')
    .on('data', (chunk: string) => {
      received += chunk;
      notify();
    })
    .on('error', end)
    .on('close', () => end());

  function takeResponses(responses: PipelinedResponse[]): void {
    for (let from = 0; ; ) {
      const headEnd = received.indexOf('\r\n\r\n', from);
      const head = headEnd === -1 ? '' : received.slice(from, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const bodyEnd = headEnd + 4 + length;
      if (headEnd === -1 || received.length < bodyEnd) {
        received = received.slice(from);
        return;
      }
      const body = Buffer.from(received.slice(headEnd + 4, bodyEnd), 'latin1').toString();
      responses.push({ status: Number(head.slice(9, 12)), head, body });
      from = bodyEnd;
    }
  }

  return {
    send: async (requests) => {
      const responses: PipelinedResponse[] = [];
      socket.write(requests.map(compose).join(''), 'latin1');
      while (responses.length < requests.length) {
        takeResponses(responses);
        if (responses.length >= requests.length) break;
        if (endError) throw endError;
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      return responses;
    },
    close: () => socket.destroy(),
  };
}
