import { defineGroup, defineStoreCommand } from '../define-command.ts';
import { printError } from '../output.ts';

/** `src/store/installation/cursor-secrets.ts` keeps the newest two secrets. */
export const addCursorSecretCommands = defineGroup(
  'cursor-secret',
  'manage the secret that signs pagination cursors',
  [
    defineStoreCommand({
      name: 'rotate',
      summary: 'sign cursors with a new secret',
      description:
        'Creates a new secret that signs pagination cursors. Existing cursors stay valid until the next rotation. To invalidate them immediately, rotate twice.',
      run: async (_, store) => {
        await store.rotateCursorSecret();
        printError('A new secret signs cursors. The previous one stays valid until the next rotation.');
      },
    }),
  ],
);
