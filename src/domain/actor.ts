/** `Actor.name` of the command line. */
export const commandLine = 'command line';

/** Author of a change, for the audit log. */
export interface Actor {
  /** Email address of an account, or `commandLine`. 1 to 254 characters. */
  name: string;
  /** IP address of the browser, or name of the machine. At most 254 characters. */
  address: string;
}
