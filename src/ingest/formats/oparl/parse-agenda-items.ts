/** The agenda items of meetings, with the consultations that lead to papers. */
import { isObject } from '../../records/field-validation.ts';
import {
  getReferenceUrl,
  isAdvisory,
  isMarkedPublic,
  isPublicItem,
  isPublicReference,
  toList,
  toText,
  toTextOrNull,
} from './oparl-object.ts';

export interface AgendaItem {
  /** Embedded items may lack an id. */
  id: string | undefined;
  order: number;
  number: string;
  result: string | undefined;
  /** An embedded consultation may lack an id. */
  consultation: string | undefined;
  /** Of an embedded consultation, which names its paper. */
  paper: string | undefined;
  /** Of an embedded consultation. */
  isAdvisory: boolean;
  /** Missing without a property that says so. */
  isMarkedPublic?: true;
}

/** @returns the public items with a consultation; other items lead to no paper */
export function parseAgendaItems(value: unknown): AgendaItem[] {
  return toList(value).flatMap((item) => {
    if (!isObject(item) || !isPublicItem(item) || !isPublicReference(item.consultation)) return [];
    const consultation = toUrl(item.consultation);
    const paper = isObject(item.consultation) ? toUrl(item.consultation.paper) : undefined;
    if (consultation === undefined && paper === undefined) return [];
    return [
      {
        id: typeof item.id === 'string' ? item.id : undefined,
        order: typeof item.order === 'number' ? item.order : Number.POSITIVE_INFINITY,
        number: toNumber(item),
        result: toTextOrNull(item.result) ?? undefined,
        consultation,
        paper,
        isAdvisory: isObject(item.consultation) && isAdvisory(item.consultation),
        ...(isMarkedPublic(item) && { isMarkedPublic: true as const }),
      },
    ];
  });
}

/** "Ö 1" */
export const toNumber = ({ number }: Record<string, unknown>): string =>
  toText(number).normalize('NFC').trim();

function toUrl(reference: unknown): string | undefined {
  const url = getReferenceUrl(reference);
  return typeof url === 'string' ? url : undefined;
}

/** By `order`, then by number. */
export function compareAgendaItems(a: AgendaItem, b: AgendaItem): number {
  // In temporary files JSON writes Infinity as null. Items without an order come last.
  const [order, otherOrder] = [a.order ?? Number.POSITIVE_INFINITY, b.order ?? Number.POSITIVE_INFINITY];
  return order === otherOrder
    ? a.number.localeCompare(b.number, 'de', { numeric: true })
    : order - otherOrder;
}
