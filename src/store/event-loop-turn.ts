/** Resolves when all that has arrived by now was looked at: what comes together in one turn can be done together. */
export const nextEventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
