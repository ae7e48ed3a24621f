/** A command that reads a setting, or a kind of command. An invalid value prevents no command that does not read it. */
export type Reader =
  | 'serve'
  /** Every command that opens the database. */
  | 'store'
  /** Commands that import, and the processes in which servers and schedules import. A server checks these settings, too. */
  | 'import'
  /** Imports of all due sources. */
  | 'schedule'
  /** Commands that print a one-time link of an account. */
  | 'invite'
  | 'mail'
  | 'health'
  | 'backup'
  | 'drill'
  | 'prune';

/** One row of the table of settings. */
export interface Setting<Value> {
  /** `serve` has a flag for each setting that it reads. */
  readBy: readonly Reader[];
  /** Placeholder in help texts. */
  value: string;
  default: string;
  description: string;
  /** Never printed. `ROSTRA_…_FILE` may name a file that contains it. */
  secret?: true;
  /** @throws Error whose message follows "must": `be a port from 0 to 65535` */
  parse: ((text: string) => Value) & { choices?: readonly string[] };
}

/** Infers the type of the value. */
export const setting = <Value>(value: Setting<Value>) => value;

/** A setting without a default. Its value is undefined if it is empty. */
export const optionalSetting = <Value>({
  parse,
  ...declared
}: Omit<Setting<Value>, 'default'>): Setting<Value | undefined> => ({
  ...declared,
  default: '',
  parse: (text) => (text === '' ? undefined : parse(text)),
});
