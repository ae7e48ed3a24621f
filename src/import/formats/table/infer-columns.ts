/** Infers the fields of columns from their names and the first rows. */
import { InvalidTimestampError, parseTimestamp } from '../../../domain/timestamps.ts';
import { InvalidDatePatternError, parseDatePattern } from './date-pattern.ts';
import { detectPersonalData, isIdentifier, splitWords } from './pii-columns.ts';

export interface Column {
  name: string;
  words: readonly string[];
  /** Filled cells of the first rows, trimmed. */
  values: readonly string[];
  /** Whether it is filled in all rows. */
  isFull: boolean;
  /** The kind of personal data, and how it was detected. */
  personal: string | undefined;
  /** Whether it has the name of an identifier. Identifiers map only to the id of a record. */
  isIdentifier: boolean;
}

/** Words that systems write into empty cells. The user decides on their meaning in a table. */
export const emptyWords = ['NA', 'N/A', 'null', 'NULL', 'None', 'NaN', '-', '--', 'k.A.', '#N/A'];

export function describeColumns(header: readonly string[], rows: readonly string[][]): Column[] {
  return header.flatMap((name, index): Column[] => {
    if (name === '') return [];
    const values = rows.map((row) => row[index]?.trim() ?? '').filter(isFilled);
    const isFull = values.length === rows.length && rows.length > 0;
    return [
      {
        name,
        words: splitWords(name),
        values,
        isFull,
        personal: detectPersonalData(name, values),
        isIdentifier: isIdentifier(name),
      },
    ];
  });
}

export const isFilled = (cell: string) => cell !== '' && !emptyWords.includes(cell);

/** Words of headers per field, in English, German, French and Spanish, without accents; the likeliest first. */
const headerWords = {
  id: 'id uuid guid enquiry ticket vorgangsnummer vorgang meldungsnummer fallnummer case number nummer nr numero no code kennung identifiant identificador aktenzeichen reference referenz folio expediente',
  referenceNumber:
    'aktenzeichen reference referenznummer referenz ref vorlagennummer drucksache vorgangsnummer geschaftszeichen enquiry expediente referencia dossier case ticket number nummer nr numero folio',
  title: 'title titel betreff titre intitule titulo asunto objet uberschrift kurztitel projektname subject',
  description:
    'description beschreibung text inhalt wortlaut body summary zusammenfassung descripcion resumen contenu contenido texte texto anliegen vorschlag idee antrag anfrage meldung propuesta proposition proposal',
  topicCategoryName:
    'category kategorie categorie categoria topic thema themenfeld theme tema rubrik type typ art tipo service bereich sachgebiet reason materia rubrique',
  status:
    'status state zustand stand bearbeitungsstand bearbeitungsstatus statut etat estado situacion ergebnis entscheidung result decision winner gewinner',
  priorityLevel: 'priority prioritat dringlichkeit urgency prioridad priorite urgence urgencia',
  supportCount:
    'votes supports supporters support stimmen unterstutzer unterstutzungen unterstutzende mitzeichnungen mitzeichner unterschriften likes endorsements signatures votos apoyos firmas voix soutiens votants',
  hasAttachments:
    'submittedphoto attachments attachment anhang anhange anlagen anlage photo photos foto fotos picture image images bild bilder media datei dateien adjunto adjuntos imagen piece pieces jointes document documents dokumente',
  createdAt:
    'created createdat opened open submitted requested reported received erstellt erstelldatum eingang eingangsdatum eingegangen eingereicht erfasst gemeldet creado presentada depose depot creation publication published date datum fecha year jahr annee ano',
  statusChangedAt:
    'closed resolved completed updated changed modified decided geschlossen erledigt abgeschlossen geandert aktualisiert entschieden beantwortet cerrado actualizado cierre modificado ferme cloture modifie maj',
} as const;

export type InferredField = keyof typeof headerWords;

/** @returns the position of the column's first word in the list of the field; Infinity without such a word */
function rankColumn(field: InferredField, { words }: Column): number {
  const known = headerWords[field].split(' ');
  const ranks = [...words, words.join('')].map((word) => known.indexOf(word)).filter((rank) => rank !== -1);
  return Math.min(...ranks, Number.POSITIVE_INFINITY);
}

export function hasNameFor(field: InferredField, column: Column): boolean {
  const { personal, isIdentifier } = column;
  return (
    personal === undefined &&
    (!isIdentifier || field === 'id') &&
    rankColumn(field, column) < Number.POSITIVE_INFINITY
  );
}

/** @returns the likeliest column first; no empty columns, because a name alone proves too little */
export function findCandidates(field: InferredField, columns: readonly Column[]): Column[] {
  return columns
    .filter((column) => column.values.length > 0 && hasNameFor(field, column))
    .toSorted((a, b) => rankColumn(field, a) - rankColumn(field, b));
}

const datePatterns = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'D.M.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'M/D/YYYY',
  'D/M/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DD.MM.YY',
  'MM/DD/YY',
  'DD/MM/YY',
];
const timePatterns = [
  '',
  ' HH:mm',
  ' HH:mm:ss',
  ' H:mm',
  ' H:mm:ss',
  ' hh:mm A',
  ' hh:mm:ss A',
  ' h:mm A',
  ' h:mm:ss A',
];
const patterns = [
  'ISO',
  ...datePatterns.flatMap((date) => timePatterns.map((time) => date + time)),
  'YYYY',
  'unix',
];

interface InferredDate {
  pattern: string;
  /** Another pattern that all values match. */
  alternative: string | undefined;
}

/** @returns the first pattern that all values match */
export function inferDatePattern(values: readonly string[]): InferredDate | undefined {
  if (values.length === 0) return undefined;
  const [pattern, ...others] = patterns.filter((candidate) =>
    values.every((value) => isDate(value, candidate)),
  );
  if (pattern === undefined) return undefined;
  const isMonthFirst = /MM?\/D|MM-DD/.test(pattern);
  const alternative = isMonthFirst ? others.find((other) => /DD?[/-]MM?/.test(other)) : undefined;
  return { pattern, alternative };
}

/** Excludes numbers of eight digits that are dates only by chance. */
const plausibleYear = /^(19[5-9]|20[0-9])/;

function isDate(value: string, pattern: string): boolean {
  const digits = pattern === 'unix' ? /^1\d{9}(\.0)?$/ : pattern === 'YYYY' ? /^(19|20)\d\d$/ : /./;
  if (!digits.test(value)) return false;
  try {
    const isoTime = parseDatePattern(pattern).read(value);
    if (isoTime === undefined) return false;
    return plausibleYear.test(parseTimestamp('date', isoTime, 'UTC'));
  } catch (error) {
    if (error instanceof InvalidTimestampError || error instanceof InvalidDatePatternError) return false;
    throw error;
  }
}

/** Words for each status in English, German, French and Spanish, without accents. */
const statusWords: Record<string, string> = {
  submitted:
    'submitted,new,neu,eingereicht,pending,ausstehend,nouveau,nouvelle,nuevo,nueva,depose,presentado,unanswered,not answered',
  received:
    'received,open,opened,offen,erhalten,eingegangen,acknowledged,assigned,zugewiesen,recu,recue,ouvert,ouverte,recibido,recibida,abierto,abierta',
  in_review:
    'in review,in progress,in process,in bearbeitung,in prufung,wird gepruft,wird bearbeitet,evaluating,under review,under evaluation,processing,en cours,en cours d examen,en curso,en proceso,en revision,en tramite,verwiesen,vertagt',
  accepted:
    'accepted,approved,angenommen,genehmigt,bewilligt,zugestimmt,beschlossen,accepte,acceptee,approuve,approuvee,adopte,adoptee,aceptado,aceptada,aprobado,aprobada,won,winner,selected',
  rejected:
    'rejected,declined,denied,abgelehnt,refuse,refusee,rejete,rejetee,rechazado,rechazada,denegado,denegada,invalid,unzulassig',
  completed:
    'completed,closed,done,resolved,solved,fixed,finished,implemented,geschlossen,erledigt,abgeschlossen,gelost,umgesetzt,ferme,fermee,termine,terminee,resolu,resolue,clos,cloture,cerrado,cerrada,resuelto,resuelta,terminado,finalizado',
  withdrawn:
    'withdrawn,retracted,cancelled,canceled,zuruckgezogen,storniert,retire,retiree,annule,retirado,retirada,anulado',
};

const statusByWord = new Map(
  Object.entries(statusWords).flatMap(([status, words]) =>
    words.split(',').map((word) => [word, status] as const),
  ),
);

/** In a column with the outcome of a vote. */
const isYes = /^(1|true|yes|ja|oui|si)$/;
const isNo = /^(0|false|no|nein|non)$/;

/** @returns undefined for an unknown word */
export function inferStatus(value: string, { words }: Column): string | undefined {
  const text = splitWords(value).join(' ');
  const status = statusByWord.get(text);
  const isOutcome = words.some((word) => ['winner', 'gewinner', 'decision', 'result'].includes(word));
  if (status !== undefined || !isOutcome) return status;
  return isYes.test(text) ? 'accepted' : isNo.test(text) ? 'rejected' : undefined;
}

/** Limits for different words of a status column: in the sample, and in the whole input. */
const maxSampledWords = 30;
export const maxStatusWords = 100;

export const listDistinct = (values: readonly string[]): string[] => [...new Set(values)];

/** @param hasFewWords whether the column has few different words in the whole input */
export function findStatusColumn(
  columns: readonly Column[],
  hasFewWords: (column: Column) => boolean,
): Column | undefined {
  const computeKnownShare = (column: Column) =>
    column.values.filter((value) => inferStatus(value, column) !== undefined).length / column.values.length;
  return findCandidates('status', columns)
    .filter((column) => listDistinct(column.values).length <= maxSampledWords && hasFewWords(column))
    .toSorted((a, b) => computeKnownShare(b) - computeKnownShare(a))[0];
}

const isKey = ({ values, isFull }: Column) => isFull && new Set(values).size === values.length;

/** @returns one column with a likely name that identifies rows, else the fewest columns that do so together */
export function findKeyColumns(
  columns: readonly Column[],
  readKeys: (names: string[]) => string[],
): string[] {
  const likely = findCandidates('id', columns);
  const single = likely.find(isKey);
  if (single) return [single.name];
  const parts = [
    ...findCandidates('createdAt', columns),
    ...columns.filter(
      ({ words, values, personal }) =>
        values.length > 0 &&
        personal === undefined &&
        words.some((word) => /^(district|bezirk|distrito|arrondissement)$/.test(word)),
    ),
    ...likely.slice(0, 1),
    ...findCandidates('title', columns).slice(0, 1),
  ];
  const names: string[] = [];
  for (const { name } of parts) {
    if (!names.includes(name)) names.push(name);
    const keys = readKeys(names);
    // A column with empty cells identifies rows only by chance.
    const hasGaps = columns.some((column) => names.includes(column.name) && !column.isFull);
    if (new Set(keys).size === keys.length && (!hasGaps || name === parts.at(-1)?.name)) return names;
  }
  return [];
}
