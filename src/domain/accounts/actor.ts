/** `Actor.name` of the command line. */
export const commandLine = 'command line';

/** `Actor.name` of people who have not signed in. */
export const anonymous = 'anonymous';

/** Actors without an account. */
export type NamelessActor = typeof commandLine | typeof anonymous;

/** Names a request to publish. The action that it asked for approves it. */
export interface Approval {
  /** Of the request. */
  id: string;
  /** Email address of the person who asked. */
  askedBy: string;
  /** Of the person who approves. */
  accountId: string;
}

/** Author of a change, for the audit log. */
export interface Actor {
  /** Email address of an account, `commandLine` or `anonymous`. 1 to 254 characters. */
  name: string;
  /** IP address of the browser, or name of the machine. At most 254 characters. */
  address: string;
  /** The request that the change approves, in the same transaction. */
  approves?: Approval;
}
