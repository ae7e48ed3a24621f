/** What stands for an administrator's address where a command did something. */
export const commandLine = 'command line';
