/** The English texts of the admin area. Their type is that of the other languages. */
import { accounts } from './en/accounts.ts';
import { data } from './en/data.ts';
import { keys } from './en/keys.ts';
import { layout } from './en/layout.ts';
import { signIn } from './en/sign-in.ts';

export const en = { ...layout, ...signIn, ...accounts, ...keys, ...data };

export type Messages = typeof en;
