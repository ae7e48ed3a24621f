/** The German texts of the admin area. */
import { accounts } from './de/accounts.ts';
import { data } from './de/data.ts';
import { keys } from './de/keys.ts';
import { layout } from './de/layout.ts';
import { signIn } from './de/sign-in.ts';
import type { Messages } from './en.ts';

export const de: Messages = { ...layout, ...signIn, ...accounts, ...keys, ...data };
