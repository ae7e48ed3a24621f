/** The server cannot listen on its port. The message names the remedy. */
export class ListenError extends Error {}

/**
 * @param flag the command-line flag that sets the port, for the message
 * @param hostFlag that of the address
 * @returns the address
 * @throws ListenError
 */
export async function listen(
  server: { listen(options: { host: string; port: number }): Promise<string> },
  host: string,
  port: number,
  flag: string,
  hostFlag = '--host',
): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    throw new ListenError(describeListenError(error as NodeJS.ErrnoException, host, port, flag, hostFlag));
  }
}

function describeListenError(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  flag: string,
  hostFlag: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the program that uses it, or choose another port with ${flag}.`;
    case 'EACCES':
      return `Port ${port} needs privileges that this process lacks. Choose a port above 1023 with ${flag}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another address with ${hostFlag}.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
}
