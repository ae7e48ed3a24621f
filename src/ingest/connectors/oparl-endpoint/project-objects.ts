/**
 * Reduces the objects of an endpoint to the properties that the import of OParl reads. Names of people, texts of files
 * and all other data are dropped before anything is written to disk.
 */

import { getPlace } from '../../formats/oparl/meeting-to-session.ts';
import {
  filePropertyNames,
  getFileTitle,
  isMinutesFile,
  listPublicFiles,
} from '../../formats/oparl/oparl-documents.ts';
import {
  findWithheld,
  getReferenceUrl,
  getTypeName,
  hasNonPublicNote,
  isAdvisory,
  isCancelledMeeting,
  isDeleted,
  isMarkedPublic,
  isPublicFile,
  isPublicItem,
  isPublicReference,
  type OparlObject,
  saysPublicFile,
  toList,
} from '../../formats/oparl/oparl-object.ts';
import { findPoint } from '../../formats/oparl/paper-to-submission.ts';
import { isObject } from '../../records/field-validation.ts';

/**
 * Embedded agenda items and consultations with an id become objects of their own, because a later response may list them
 * separately, or embed them elsewhere.
 *
 * @returns the object with its embedded objects; nothing for types that are not imported
 */
export function projectObject(object: OparlObject): OparlObject[] {
  const typeName = getTypeName(object);
  const project = projections.get(typeName);
  if (project === undefined) return [];
  const { id, type } = object;
  const isWithheld = typeName === 'File' ? !isPublicFile(object) : findWithheld(object) !== undefined;
  if (isWithheld) return [createTombstone(object)];
  return [{ id, type, ...project(object) }, ...listAgendaItems(object), ...listConsultations(object)];
}

export const createTombstone = ({ id, type }: OparlObject): OparlObject => ({ id, type, deleted: true });

/** A map, because an endpoint may name a type `constructor`. */
const projections = new Map<string, (object: OparlObject) => Record<string, unknown>>(
  Object.entries({
    Organization: ({ name }) => ({ name }),
    Paper: (paper) => {
      const { paperType, name, reference, keyword, date, created, consultation, web, location } = paper;
      const point = findPoint(location);
      const keywords = toList(keyword);
      const noted = keywords.filter(hasNonPublicNote);
      return {
        paperType,
        name,
        reference,
        keyword: [...noted, ...keywords].slice(0, 1),
        date,
        created,
        ...projectFiles(paper),
        consultation: toList(consultation)
          .filter(isPublicReference)
          .map((each) =>
            isObject(each) && isAdvisory(each)
              ? { id: each.id, authoritative: false }
              : getReferenceUrl(each),
          ),
        web,
        // It outweighs a name such as "Verkauf (nicht öffentlich)".
        ...(isMarkedPublic(paper) && { public: true }),
        ...(point && { location: { geojson: { type: point.type, coordinates: point.coordinates } } }),
      };
    },
    Meeting: (meeting) => {
      const {
        name,
        start,
        end,
        created,
        cancelled,
        meetingState,
        organization,
        agendaItem,
        modified,
        web,
        location,
      } = meeting;
      return {
        name,
        start,
        end,
        created,
        // Also by a property beyond the standard.
        cancelled: isCancelledMeeting(meeting) ? true : cancelled,
        meetingState,
        web,
        location: getPlace(location),
        // It changes when the referenced agenda items change.
        modified,
        organization: toList(organization).slice(0, 1).map(getReferenceUrl),
        ...projectFiles(meeting),
        agendaItem: toList(agendaItem).flatMap((item): unknown[] => {
          if (typeof item === 'string') return [item];
          if (!isObject(item)) return [];
          return hasId(item) ? [item.id] : [{ deleted: item.deleted, ...projectAgendaItem(item) }];
        }),
      };
    },
    AgendaItem: projectAgendaItem,
    Consultation: projectConsultation,
  }),
);

/** Without the names of the files, and without files that must not be public. */
const projectFiles = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(filePropertyNames.map((name) => [name, listPublicFiles(object[name]).map(projectFile)]));

function projectFile(file: string | Record<string, unknown>): unknown {
  if (typeof file === 'string') return file;
  const { accessUrl, downloadUrl, mimeType } = file;
  const isMinutes = isMinutesFile(file);
  return {
    name: getFileTitle(file),
    accessUrl,
    downloadUrl,
    mimeType,
    ...(isMinutes && { isMinutes }),
    ...(saysPublicFile(file) && { public: true }),
  };
}

function projectAgendaItem(item: Record<string, unknown>): Record<string, unknown> {
  const meeting = getReferenceUrl(item.meeting);
  if (!isPublicItem(item)) return { meeting, public: false };
  const { order, number, result } = item;
  return {
    meeting,
    order,
    number,
    result,
    public: item.public,
    consultation: isPublicReference(item.consultation) ? getReferenceUrl(item.consultation) : undefined,
  };
}

function projectConsultation(consultation: Record<string, unknown>): Record<string, unknown> {
  return {
    paper: getReferenceUrl(consultation.paper),
    ...(isAdvisory(consultation) && { authoritative: false }),
  };
}

/** Embedded items. If none has an order, their positions are the order. */
function listAgendaItems({ id: meeting, agendaItem }: OparlObject): OparlObject[] {
  const items = toList(agendaItem);
  const areOrdered = items.some((item) => isObject(item) && typeof item.order === 'number');
  return items.flatMap((item, position): OparlObject[] => {
    if (!isObject(item) || !hasId(item)) return [];
    const { id } = item;
    if (isDeleted(item)) return [createTombstone({ id, type: agendaItemType })];
    const order = areOrdered ? item.order : position;
    return [{ id, type: agendaItemType, ...projectAgendaItem({ ...item, meeting, order }) }];
  });
}

/** Consultations that the object or its agenda items embed. */
function listConsultations({ consultation, agendaItem }: OparlObject): OparlObject[] {
  return [consultation, ...toList(agendaItem).map(getPublicConsultation)].flatMap((entry) => {
    if (!isObject(entry) || !hasId(entry)) return [];
    const { id } = entry;
    // An earlier response may have listed it.
    if (!isPublicReference(entry)) return [createTombstone({ id, type: consultationType })];
    const projected = projectConsultation(entry);
    return typeof projected.paper === 'string' ? [{ id, type: consultationType, ...projected }] : [];
  });
}

const getPublicConsultation = (item: unknown): unknown =>
  isObject(item) && isPublicItem(item) ? item.consultation : undefined;

export const agendaItemType = 'https://schema.oparl.org/1.1/AgendaItem';
const consultationType = 'https://schema.oparl.org/1.1/Consultation';

const hasId = (value: Record<string, unknown>): value is OparlObject => typeof value.id === 'string';
