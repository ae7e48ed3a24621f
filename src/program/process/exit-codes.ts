/** Exit codes, as documented in docs/commands.md. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  someRejected: 3,
  interrupted: 130,
} as const;
