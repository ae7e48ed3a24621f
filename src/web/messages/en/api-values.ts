import { apiValues as values } from '../../../domain/reasons/en/api-values.ts';

export const apiValues = { apiValues: values };
