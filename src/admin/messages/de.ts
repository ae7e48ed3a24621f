/** The German texts of the admin area. */
import { accounts } from './de/accounts.ts';
import { keys } from './de/keys.ts';
import { layout } from './de/layout.ts';
import { navigation } from './de/navigation.ts';
import { notifications } from './de/notifications.ts';
import { organizationDetails } from './de/organization-details.ts';
import { data } from './de/published-data.ts';
import { signIn } from './de/sign-in.ts';
import type { Messages } from './en.ts';

export const de: Messages = {
  ...layout,
  ...navigation,
  ...notifications,
  ...signIn,
  ...accounts,
  ...keys,
  ...data,
  ...organizationDetails,
};
