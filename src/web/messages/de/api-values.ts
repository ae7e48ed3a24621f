import { apiValues as values } from '../../../domain/reasons/de/api-values.ts';
import type { Messages } from '../en.ts';

export const apiValues: Pick<Messages, 'apiValues'> = { apiValues: values };
