import type { IncomingMessage } from 'node:http';

/** Reads a whole body. It stops listening to one that is too large. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      request.off('data', onData);
      resolve('too large');
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => resolve('aborted'));
    request.once('close', () => resolve('aborted'));
  });
}
