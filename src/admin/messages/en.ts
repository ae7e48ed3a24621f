/** The English texts of the admin area. The other languages have the same type. */
import { accounts } from './en/accounts.ts';
import { keys } from './en/keys.ts';
import { layout } from './en/layout.ts';
import { navigation } from './en/navigation.ts';
import { notifications } from './en/notifications.ts';
import { organizationDetails } from './en/organization-details.ts';
import { data } from './en/published-data.ts';
import { signIn } from './en/sign-in.ts';

export const en = {
  ...layout,
  ...navigation,
  ...notifications,
  ...signIn,
  ...accounts,
  ...keys,
  ...data,
  ...organizationDetails,
};

export type Messages = typeof en;
