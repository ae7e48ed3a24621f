/** One row of the table of settings. */
export interface Setting<Value> {
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
