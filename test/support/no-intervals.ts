/** Loaded into a process, whose intervals then never elapse: it notices only with a write that it has lost its lease. */
Object.assign(globalThis, { setInterval: () => ({ unref: () => undefined }) });
