/** Guesses what the columns of a table are, from their names and the first rows. */

import { InvalidTimestampError, parseTimestamp } from '../../../domain/timestamps.ts';
import { dateForm, InvalidDateFormError } from './date-pattern.ts';
import { isIdentifier, personalData, wordsOf } from './pii-columns.ts';

export interface Column {
  name: string;
  words: readonly string[];
  /** Cells of the first rows that are filled, trimmed. */
  values: readonly string[];
  /** Whether no row leaves it empty. */
  isFull: boolean;
  /** What must not leave the source, and how that is known. */
  personal: string | undefined;
  /** Whether its name is that of an identifier, which is for nothing but the id of a record. */
  isIdentifier: boolean;
}

/** Words for an empty cell that systems write; what a table may mean by one of them is for a person to say. */
export const emptyWords = ['NA', 'N/A', 'null', 'NULL', 'None', 'NaN', '-', '--', 'k.A.', '#N/A'];

export function columnsIn(header: readonly string[], rows: readonly string[][]): Column[] {
  return header.flatMap((name, index): Column[] => {
    if (name === '') return [];
    const values = rows.map((row) => row[index]?.trim() ?? '').filter(isFilled);
    const isFull = values.length === rows.length && rows.length > 0;
    return [
      {
        name,
        words: wordsOf(name),
        values,
        isFull,
        personal: personalData(name, values),
        isIdentifier: isIdentifier(name),
      },
    ];
  });
}

export const isFilled = (cell: string) => cell !== '' && !emptyWords.includes(cell);

/** Words of headers per field, in English, German, French and Spanish, without accents; the likelier first. */
export const headerWords = {
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

export type Guessed = keyof typeof headerWords;

/** How far in front the column's word is in the field's list; Infinity: the list has none of its words. */
function rankFor(field: Guessed, { words }: Column): number {
  const known = headerWords[field].split(' ');
  const ranks = [...words, words.join('')].map((word) => known.indexOf(word)).filter((at) => at !== -1);
  return ranks.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...ranks);
}

/** Whether the field may be taken from a column of this name. */
export function isNamedFor(field: Guessed, column: Column): boolean {
  const { personal, isIdentifier } = column;
  return (
    personal === undefined &&
    (!isIdentifier || field === 'id') &&
    rankFor(field, column) < Number.POSITIVE_INFINITY
  );
}

/** Columns that a field may be, the likeliest first. An empty column is none: its name alone says too little. */
export function candidatesFor(field: Guessed, columns: readonly Column[]): Column[] {
  return columns
    .filter((column) => column.values.length > 0 && isNamedFor(field, column))
    .toSorted((a, b) => rankFor(field, a) - rankFor(field, b));
}

const dates = [
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
const times = [
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
const forms = ['ISO', ...dates.flatMap((date) => times.map((time) => date + time)), 'YYYY', 'unix'];

export interface DateGuess {
  form: string;
  /** Another form that all values fit as well. */
  orElse: string | undefined;
  /** Whether the values say how far they are from UTC. */
  hasOffset: boolean;
}

/** The form that all values are of; undefined: none. */
export function dateFormOf(values: readonly string[]): DateGuess | undefined {
  if (values.length === 0) return undefined;
  const [form, ...others] = forms.filter((candidate) => values.every((value) => isDate(value, candidate)));
  if (form === undefined) return undefined;
  const swapped = form.includes('MM/DD') || form.includes('M/D') || form.includes('MM-DD');
  const orElse = swapped ? others.find((other) => /DD?[/-]MM?/.test(other)) : undefined;
  const hasOffset =
    form === 'unix' || (form === 'ISO' && values.every((value) => isDate(value, 'ISO', false)));
  return { form, orElse, hasOffset };
}

/** Years that can be meant: a number of eight digits is not a date because it could be one. */
const plausible = /^(19[5-9]|20[0-9])/;

function isDate(value: string, form: string, local = true): boolean {
  const digits = form === 'unix' ? /^1\d{9}(\.0)?$/ : form === 'YYYY' ? /^(19|20)\d\d$/ : /./;
  if (!digits.test(value)) return false;
  try {
    const spelt = dateForm(form).read(value);
    return spelt !== undefined && plausible.test(parseTimestamp('date', spelt, local ? 'UTC' : undefined));
  } catch (error) {
    if (error instanceof InvalidTimestampError || error instanceof InvalidDateFormError) return false;
    throw error;
  }
}

/** Their words for a status, in English, German, French and Spanish, without accents. */
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

const ourStatus = new Map(
  Object.entries(statusWords).flatMap(([ours, words]) =>
    words.split(',').map((word) => [word, ours] as const),
  ),
);

/** In a column that says whether something was chosen. */
const chosen = new Map(
  Object.entries({
    1: 'accepted',
    true: 'accepted',
    yes: 'accepted',
    ja: 'accepted',
    oui: 'accepted',
    si: 'accepted',
    0: 'rejected',
    false: 'rejected',
    no: 'rejected',
    nein: 'rejected',
    non: 'rejected',
  }),
);

/** Our word for one of theirs; undefined: nobody but the person knows. */
export function statusOf(value: string, { words }: Column): string | undefined {
  const spelt = wordsOf(value).join(' ');
  const asksWhether = words.some((word) => ['winner', 'gewinner', 'decision', 'result'].includes(word));
  return ourStatus.get(spelt) ?? (asksWhether ? chosen.get(spelt) : undefined);
}

/** A column with more different words is no status: in the sample, and in the whole input. */
const maxSampledWords = 30;
export const maxStatusWords = 100;

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** @param hasFewWords whether the whole column has few enough different words */
export function statusColumn(
  columns: readonly Column[],
  hasFewWords: (column: Column) => boolean,
): Column | undefined {
  const known = (column: Column) =>
    column.values.filter((value) => statusOf(value, column) !== undefined).length / column.values.length;
  return candidatesFor('status', columns)
    .filter((column) => distinct(column.values).length <= maxSampledWords && hasFewWords(column))
    .toSorted((a, b) => known(b) - known(a))[0];
}

const isKey = ({ values, isFull }: Column) => isFull && new Set(values).size === values.length;

/** One column that tells the rows apart, else the fewest that do so together, among those with likely names. */
export function keyColumns(columns: readonly Column[], rowsOf: (names: string[]) => string[]): string[] {
  const likely = candidatesFor('id', columns);
  const single = likely.find(isKey);
  if (single) return [single.name];
  const parts = [
    ...candidatesFor('createdAt', columns),
    ...columns.filter(
      ({ words, values, personal }) =>
        values.length > 0 &&
        personal === undefined &&
        words.some((word) => /^(district|bezirk|distrito|arrondissement)$/.test(word)),
    ),
    ...likely.slice(0, 1),
    ...candidatesFor('title', columns).slice(0, 1),
  ];
  const names: string[] = [];
  for (const { name } of parts) {
    if (!names.includes(name)) names.push(name);
    const keys = rowsOf(names);
    // A part that is empty in some rows tells those apart by chance.
    const hasGaps = columns.some((column) => names.includes(column.name) && !column.isFull);
    if (new Set(keys).size === keys.length && (!hasGaps || name === parts.at(-1)?.name)) return names;
  }
  return [];
}
