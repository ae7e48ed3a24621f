/** The facts about a municipality: options of commands, and values of provisioning files. */
import {
  type OrganizationField,
  type OrganizationFieldDeclaration,
  organizationFields,
} from '../../../domain/organizations/organization-fields.ts';
import { describeInvalidLine } from '../../../domain/organizations/redaction-terms.ts';
import { option } from '../define-command.ts';

/** @param emptyHint follows the message about an empty text */
export function createFieldOption(field: OrganizationField, emptyHint = '') {
  const { value, about }: OrganizationFieldDeclaration = organizationFields.declared[field];
  return option(value, about, createFieldParser(field, emptyHint));
}

/** @returns a parser whose error follows "must" */
export const createFieldParser =
  (field: OrganizationField, emptyHint = '') =>
  (text: string): string => {
    const { parse, must }: OrganizationFieldDeclaration = organizationFields.declared[field];
    const parsed = parse(text.trim());
    if (parsed !== undefined) return parsed;
    const where = field === 'redactionTerms' ? describeInvalidLine(text) : '';
    throw new Error(must + where + (text === '' ? emptyHint : ''));
  };
