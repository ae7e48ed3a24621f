/** Resolves after the pending I/O callbacks, so that work of one turn can be batched. */
export const nextEventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
