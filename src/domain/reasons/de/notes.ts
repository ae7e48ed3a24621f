import type { notes as english } from '../en/notes.ts';
import { listWords } from '../en/notes.ts';
import type { Translation } from '../sentence-types.ts';
import { formatLocation } from './input-positions.ts';
import { formatCell, nameColumn } from './rejections.ts';
import { surveyStatuses } from './surveys.ts';

const nameQuestion = ({ title, question }: { title: string; question: string }) =>
  `„${title}“, „${question}“`;

const kindNames: Readonly<Record<string, string>> = {
  email: 'E-Mail-Adressen',
  phone: 'Telefonnummern',
  iban: 'Kontonummern',
  plate: 'Kfz-Kennzeichen',
  address: 'Straßen und Hausnummern',
};

export const listKindCounts = (counts: readonly { kind: string; count: number }[]) =>
  counts.map(({ kind, count }) => `${kindNames[kind] ?? kind} (${count})`).join(', ');

export const listPolicy = ({
  kinds,
  country,
  patterns,
}: {
  kinds: readonly string[];
  country: string;
  patterns: readonly string[];
}) =>
  [
    ...kinds.map((kind) => {
      const name = kindNames[kind] ?? kind;
      return kind === 'phone' || kind === 'plate' ? `${name} (${country})` : name;
    }),
    ...patterns.map((name) => `das Muster „${name}“`),
  ].join(', ');

export const notes: Translation<typeof english> = {
  'status-times-corrected': ({ count }, { number }) =>
    `Bei ${number(count)} Anliegen lag die Statusänderung vor der Einreichung. Für beides wird der Zeitpunkt der Einreichung veröffentlicht.`,
  'future-times-corrected': ({ count }, { number }) =>
    `Bei ${count === 1 ? 'einer Sitzung' : `${number(count)} Sitzungen`} lag der Zeitpunkt der Erfassung in der Zukunft. Veröffentlicht wird der Zeitpunkt des ersten Imports.`,
  'zero-days': ({ field, day, count }, words) =>
    `In ${count === 1 ? 'einem Datensatz' : `${words.number(count)} Datensätzen`} hat ${words.field(field)} den Wert ${day}. Systeme tragen diesen Tag für ein unbekanntes Datum ein. Bitte prüfen Sie das.`,
  'identifiers-shared': ({ count }, { number }) =>
    `${count === 1 ? 'Eine Zeile hat' : `${number(count)} Zeilen haben`} dieselbe Kennung wie eine frühere, aber andere Inhalte. Veröffentlicht wird jeweils nur die erste. Sind es eigene Datensätze, braucht die Kennung eine andere Spalte oder mehrere.`,
  'agenda-items-left-out': ({ count, missing }, { number }) =>
    `${count === 1 ? 'Ein Tagesordnungspunkt verweist' : `${number(count)} Tagesordnungspunkte verweisen`} auf ${missing === 'session' ? 'eine Sitzung, die' : 'ein Anliegen, das'} in der Datei fehlt, und ${count === 1 ? 'wird' : 'werden'} ausgelassen.`,
  'live-records-repeated': ({ count }, { number }) =>
    `Die Quelle lieferte Datensätze mehrfach (${count === 1 ? '1 Wiederholung' : `${number(count)} Wiederholungen`}). Jeder Datensatz wurde einmal gelesen.`,
  'live-records-moved':
    'Die Datensätze der Quelle änderten sich während des Abrufs. Deshalb wurde kein fehlender Datensatz entfernt.',
  'live-records-skipped': ({ count, total }, { number }) =>
    `Die Quelle zählt ${total === 1 ? 'einen Datensatz' : `${number(total)} Datensätze`}, lieferte aber ${number(count)} davon nicht. Deshalb wurde kein fehlender Datensatz entfernt.`,
  'endpoint-list-short': ({ list, count, total }, { number }) =>
    `Die Liste ${list} nennt ${total === 1 ? 'ein Objekt' : `${number(total)} Objekte`}, hat aber nur ${number(count)} geliefert. Deshalb wurde kein fehlender Datensatz entfernt.`,
  'live-windows-cut': ({ count, from, to }, { number }) =>
    `Die Quelle lieferte für ${count === 1 ? 'einen Zeitraum' : `${number(count)} Zeiträume`} nur einen Teil ihrer Datensätze (${count === 1 ? '' : 'zum Beispiel '}von ${from} bis ${to}). Deshalb wird aus ${count === 1 ? 'diesem Zeitraum' : 'diesen Zeiträumen'} kein fehlender Datensatz entfernt.`,
  'session-is-cancelled': ({ title }) =>
    `Wird nicht veröffentlicht, weil die Sitzung laut ihrem Titel abgesagt ist: ${title}`,
  'session-may-be-cancelled': ({ text }) =>
    `„${text}“ im Ort, in der Beschreibung oder einer anderen Angabe einer Sitzung bedeutet möglicherweise, dass sie abgesagt ist. Sie wird veröffentlicht: Entfernen Sie sie aus der Datei, falls sie nicht stattfindet.`,
  'files-repeated': ({ count, file }) =>
    count === 1
      ? `${file} wird nicht gelesen, weil eine andere Datei des Archivs denselben Inhalt hat.`
      : `${count} Dateien, zum Beispiel ${file}, werden nicht gelesen, weil andere Dateien des Archivs denselben Inhalt haben.`,
  'encoding-detected': ({ file, encoding, count }) =>
    `${count === 1 ? `${file} ist nicht in UTF-8 kodiert und wird` : `${count} Dateien, zum Beispiel ${file}, sind nicht in UTF-8 kodiert und werden`} als ${encoding.toUpperCase()} gelesen. Prüfen Sie die Umlaute.`,
  'backslash-quotes': ({ file, count }) =>
    `${count === 1 ? `${file} enthält` : `${count} Dateien, zum Beispiel ${file}, enthalten`} Anführungszeichen in Zellen als \\" statt "". Der umgekehrte Schrägstrich davor entfällt, und \\\\ wird als \\ gelesen.`,
  'rows-hidden': ({ file, sheet, count }, { number }) =>
    `${file}, Tabellenblatt „${sheet}“: ${count === 1 ? '1 Zeile ist' : `${number(count)} Zeilen sind`} ausgeblendet, etwa durch einen Filter, und ${count === 1 ? 'wird' : 'werden'} wie die anderen gelesen. Löschen Sie Zeilen, die nicht veröffentlicht werden dürfen.`,
  'no-meetings':
    'Die Datei enthält keine Sitzung. Drucksachen werden so veröffentlicht, als wären sie in keiner Sitzung behandelt worden. Importieren Sie Drucksachen und Sitzungen einer Körperschaft zusammen.',
  'column-withholds-rows': ({ column }) =>
    `Die Spalte „${nameColumn(column)}“ gibt offenbar an, welche Zeilen nicht öffentlich sind. Diese werden veröffentlicht, wenn „skip“ in der Zuordnung sie nicht auslässt.`,
  'words-pass-skip': ({ column, words }, { number }) =>
    `Zur Spalte „${nameColumn(column)}“ fehlen in „skip“ in der Zuordnung: ${listWords(words, (word) => `„${word}“`, number)}. Diese Zeilen werden veröffentlicht. Ergänzen Sie die Wörter, wenn sie nicht öffentlich sein dürfen.`,
  'rows-repeat-others': ({ column, count }, { number }) =>
    `Laut der Spalte „${nameColumn(column)}“ ${count === 1 ? 'wiederholt offenbar eine Zeile einen anderen Datensatz. Sie wird' : `wiederholen offenbar ${number(count)} Zeilen andere Datensätze. Sie werden`} veröffentlicht, wenn „skip“ in der Zuordnung sie nicht auslässt.`,
  'status-may-withhold': ({ status }) =>
    `Der Status „${status}“ bedeutet möglicherweise, dass ein Datensatz nicht öffentlich ist. Solche Datensätze werden veröffentlicht, wenn „skip“ in der Zuordnung ihre Zeilen nicht auslässt.`,
  'file-may-withhold': ({ file }) =>
    `Der Name „${file}“ bedeutet möglicherweise, dass die Datensätze der Datei nicht öffentlich sind. Sie werden veröffentlicht.`,
  'title-may-withhold': ({ note }) =>
    `„${note}“ in einem Titel bedeutet möglicherweise, dass ein Datensatz nicht öffentlich oder ein Test ist. Er wird veröffentlicht: Entfernen Sie ihn sonst aus der Datei.`,
  'column-cancels-sessions': ({ column }) =>
    `Die Spalte „${nameColumn(column)}“ gibt offenbar an, welche Sitzungen abgesagt sind. Diese werden veröffentlicht, wenn „skip“ in der Zuordnung ihre Zeilen nicht auslässt.`,
  'consul-drafts-unmarked':
    'Die Datei gibt nicht an, welche Vorschläge veröffentlicht sind. Exporte aus dem Verwaltungsbereich von CONSUL Democracy enthalten auch Entwürfe, Antworten der API möglicherweise ebenfalls. Entfernen Sie diese oder ergänzen Sie „published_at“.',
  'amendments-published': ({ count }, { number }) =>
    `${count === 1 ? '1 Änderungsvorschlag wird' : `${number(count)} Änderungsvorschläge werden`} wie Vorschläge veröffentlicht. Zeigt die Plattform sie nur den Beteiligten, entfernen Sie die Zeilen mit is_amend.`,
  'votes-hidden': ({ count }, { number }) =>
    `${count === 1 ? '1 Vorschlag hat' : `${number(count)} Vorschläge haben`} keine Stimmenzahl, weil die Plattform sie verbirgt. Bis ein späterer Import die Zahl enthält, wird 0 veröffentlicht.`,
  'no-papers':
    'Die Datei enthält keine Drucksache. Tagesordnungen und der Status von Drucksachen bleiben unverändert. Importieren Sie Drucksachen und Sitzungen einer Körperschaft zusammen.',
  'no-organizations':
    'Die Datei enthält kein Gremium. Als Gremium wird der Name der Sitzung veröffentlicht. Importieren Sie auch die Gremien.',
  'repetitions-cut-off': ({ source, entry, max }) =>
    `Ein wiederholter Termin (${source}, Eintrag ${entry}) hat mehr als ${max} Wiederholungen. Spätere wurden ausgelassen.`,
  'repetitions-unmatched': ({ source, entry, count, example }) =>
    `${count === 1 ? 'Ein Wert' : `${count} Werte`} von EXDATE oder RECURRENCE-ID eines Termins (${source}, Eintrag ${entry}) ${count === 1 ? 'passt' : 'passen'} zu keiner seiner Wiederholungen${count === 1 ? '' : ', zum Beispiel'}: ${example}. Prüfen Sie diese Wiederholungen.`,
  'series-may-be-cancelled': ({ count }, { number }) =>
    `${count === 1 ? 'Ein abgesagter Termin ist' : `${number(count)} abgesagte Termine sind`} möglicherweise eine Serie, die dieser Import nicht enthält. Ihre Wiederholungen bleiben veröffentlicht: Importieren Sie den ganzen Kalender zusammen mit der Absage noch einmal.`,
  'personal-columns-skipped': ({ columns }) =>
    `Ausgelassene Spalten zur Person oder zum Zeitpunkt: ${columns.map(nameColumn).join(', ')}.`,
  'responses-excluded': ({ count }, { number }) =>
    `${count === 1 ? 'Eine Teilnahme wird' : `${number(count)} Teilnahmen werden`} nicht gezählt: als Entwurf, Test, gelöscht oder abgelehnt gekennzeichnet.`,
  'responses-unfinished': ({ count }, { option, number }) =>
    `${count === 1 ? 'Eine nicht abgeschlossene Teilnahme wird' : `${number(count)} nicht abgeschlossene Teilnahmen werden`} nicht gezählt, außer Sie wählen ${option('incomplete')}.`,
  'responses-doubtful': ({ column, word, count }, { number }) =>
    `Die Spalte „${nameColumn(column)}“ gibt vielleicht an, welche Teilnahmen zählen: „${word}“ steht in ${count === 1 ? 'einer Teilnahme' : `${number(count)} Teilnahmen`}. Sie ${count === 1 ? 'wird' : 'werden'} gezählt. Entfernen Sie sie sonst aus der Datei.`,
  'answers-may-be-codes': ({ column, answer, count }, { number }) =>
    `„${column}“: ${answer} (${number(count)}) ist vielleicht ein Code für eine fehlende Antwort und wird als Antwortmöglichkeit veröffentlicht. Leeren Sie diese Zellen, wenn es keine Antwort ist.`,
  'questions-have-placeholders': ({ questions }) =>
    `In diesen Fragen zeigt die Umfrage anstelle der geschweiften Klammern einen eigenen Text: ${questions.map((question) => `„${question}“`).join(', ')}. Berichtigen Sie sie in der Datei, oder in der veröffentlichten Umfrage auf ihrer Seite.`,
  'answers-are-lists': ({ columns }) =>
    `Zellen enthalten offenbar mehrere Antworten: ${columns.join(', ')}. Jede Kombination wird als eine Option veröffentlicht. Geben Sie jeder Option eine Spalte wie „Frage [Option]“, um die Antworten einzeln zu zählen.`,
  'columns-without-answers': ({ columns }, { option }) =>
    `Nicht veröffentlicht, weil sie keine Antworten enthalten, wie Seitenüberschriften: ${columns.join(', ')}. Sind es Fragen, nennen Sie unter ${option('questions')} alle Fragen.`,
  'questions-hidden': ({ questions }, { option }) =>
    `Nicht veröffentlicht, weil die Umfrage sie vor den Befragten verbirgt: ${questions.join(', ')}. Sind es Fragen, nennen Sie unter ${option('questions')} alle Fragen.`,
  'columns-numbered': ({ columns }) =>
    `Mehrere Spalten haben dieselbe Überschrift. Sie sind nummeriert: ${columns.join(', ')}.`,
  'header-rows-joined':
    'Die ersten beiden Zeilen sind Überschriften. Die zweite wird nicht als Teilnahme gezählt.',
  'survey-shows-codes': ({ codes }, { option }) =>
    `Anstelle von Fragen und Antworten wären Codes zu sehen: ${codes.map((code) => `„${code}“`).join(', ')}. Ergänzen Sie ${option('structure')}, oder exportieren Sie vollständige Fragen und Antworten.`,
  'answers-skipped': ({ question }) =>
    `Frage ${question}: Antworten, die in der Struktur fehlen, wurden ausgelassen.`,
  'survey-update-waits': ({ title, min }) =>
    `„${title}“ hat weniger als ${min} neue Teilnahmen. Die veröffentlichten Ergebnisse bleiben unverändert.`,
  'survey-stays': ({ title, status }) =>
    `„${title}“ wurde als „${surveyStatuses[status] ?? status}“ veröffentlicht. Die veröffentlichten Ergebnisse bleiben unverändert.`,
  'answers-withheld': ({ threshold, ...values }) =>
    `${nameQuestion(values)}: Die Frage hat zu wenige Antworten für den Schwellenwert ${threshold}. Sie wird ohne Antwortmöglichkeiten veröffentlicht.`,
  'answers-delayed': ({ threshold, ...values }) =>
    `${nameQuestion(values)}: Die veröffentlichten Zahlen bleiben bestehen, bis jede Antwortmöglichkeit entweder keine oder mindestens ${threshold} weitere Antworten hat.`,
  'answers-unanimous': (values, { option }) =>
    `${nameQuestion(values)}: Alle haben dieselbe Antwort gegeben. Die Antwortmöglichkeiten werden nicht veröffentlicht. Um sie zu veröffentlichen, wählen Sie ${option('publishUnanimous')}.`,
  'answers-one-value': ({ count, total, ...values }, { option, number }) =>
    `${nameQuestion(values)}: ${number(count)} von ${number(total)} Teilnahmen haben einen Eintrag, alle denselben. Die Antwortmöglichkeiten werden nicht veröffentlicht. Ist die Spalte eine Antwortmöglichkeit einer Frage, geben Sie ihr eine Überschrift wie „Frage [Option]“. Um sie sonst zu veröffentlichen, wählen Sie ${option('publishUnanimous')}.`,
  'question-exceeds-responses': (values) =>
    `${nameQuestion(values)}: Die Antwortmöglichkeiten ergeben zusammen mehr als die Zahl der Teilnahmen. Prüfen Sie, ob mehrere Antworten möglich waren, und ob alle Werte Anzahlen von Personen sind.`,
  'options-identify': (values) =>
    `${nameQuestion(values)}: Die Antwortmöglichkeiten sehen wie Kennungen von Personen aus. Prüfen Sie, ob sie veröffentlicht werden dürfen.`,
  'survey-year-possible': ({ title, year, isOfOneTable }, { option }) =>
    `Bei „${title}“ fehlt das Ende. Möglicherweise stammt die Umfrage aus dem Jahr ${year}. Dann ${isOfOneTable ? `füllen Sie ${option('ended')} aus` : `ergänzen Sie in ihrer Beschreibung "year": ${year}`}.`,
  'answers-await-update': (values) =>
    `${nameQuestion(values)}: Die Frage wird ohne Antwortmöglichkeiten veröffentlicht, solange die Zahlen einer anderen Frage älter sind, weil Fragen einander verraten.`,
  'ranks-delayed': (values) =>
    `${nameQuestion(values)}: Rangfolgen werden erst nach dem Ende der Umfrage veröffentlicht, weil sie einander verraten.`,
  'answers-not-mergeable': ({ threshold, ...values }) =>
    `${nameQuestion(values)}: Antwortmöglichkeiten mit weniger als ${threshold} Antworten lassen sich nicht zusammenfassen. Die Frage wird ohne Antwortmöglichkeiten veröffentlicht.`,
  'answers-merged': ({ threshold, small, others, into, ...values }) =>
    `${nameQuestion(values)}: Als „${into}“ zusammengefasst ${small === 1 ? 'ist eine Antwortmöglichkeit' : `sind ${small} Antwortmöglichkeiten`} mit weniger als ${threshold} Antworten${others === 0 ? '' : `, außerdem ${others === 1 ? 'eine weitere' : `${others} weitere`}, damit sich die kleinen Zahlen nicht berechnen lassen`}.`,
  'redacts-as-before': (policy) =>
    `Wie bei früheren Importen dieser Quelle wird ersetzt: ${listPolicy(policy)}.`,
  'value-not-recommended': ({ field, value, count, near }, words) =>
    `${words.field(field)}: „${value}“ (${words.number(count)}) ist kein empfohlener Wert. Ist „${near}“ gemeint?`,
  'values-merged': ({ field, publishedAs, values, others }, words) =>
    `${words.field(field)}: Als „${words.value(publishedAs)}“ werden veröffentlicht: ${[...values.map(({ value, count }) => `„${value}“ (${words.number(count)})`), ...(others > 0 ? [`${others} weitere Werte`] : [])].join(', ')}.`,
  'final-words-open': ({ values, others }, words) =>
    `Bitte den Status prüfen: Diese Wörter klingen abgeschlossen, werden aber mit einem offenen Status veröffentlicht: ${[...values.map(({ value, publishedAs, count }) => `„${value}“ als „${words.value(publishedAs)}“ (${words.number(count)})`), ...(others > 0 ? [`${others} weitere Wörter`] : [])].join(', ')}.`,
  'value-unmapped': ({ value, publishedAs, count }, words) =>
    `Wert ohne Zuordnung: „${value}“ wird als „${words.value(publishedAs)}“ veröffentlicht (${words.number(count)}).`,
  'value-rejected': ({ cell, value, count }, words) =>
    `Nicht übernommener Wert: ${formatCell(cell, words)} hat keine Zuordnung für „${value}“ (${words.number(count)}).`,
  'fields-change': ({ fields }, words) =>
    `Änderungen an veröffentlichten Datensätzen: ${fields.map(({ field, count }) => `${words.field(field)} bei ${words.number(count)}`).join(', ')}.`,
  'values-left-out': ({ problem, count }, words) =>
    `In ${count === 1 ? 'einem Datensatz' : `${words.number(count)} Datensätzen`} weggelassen: ${words.reason(problem)}.`,
  'locations-repeated': ({ count, total }, { number }) =>
    `${number(count)} von ${number(total)} Standorten liegen am selben Punkt. Er kann für einen unbekannten Ort stehen, zum Beispiel das Rathaus.`,
  'records-matched': ({ count }, { number }) =>
    `Nicht veröffentlicht: ${count === 1 ? 'ein Datensatz, der einem zurückgezogenen oder gelöschten gleicht' : `${number(count)} Datensätze, die zurückgezogenen oder gelöschten gleichen`}. Sie stehen unter „Zurückgezogen und berichtigt“.`,
  'records-retracted': ({ because, count }, words) =>
    `Entfernt: ${count === 1 ? 'ein veröffentlichter Datensatz' : `${words.number(count)} veröffentlichte Datensätze`} (${words.reason(because)}).`,
  'text-left-out': ({ text, summary, count }) =>
    `Wird nicht veröffentlicht: ${text} von Vorschlägen, die ${summary} haben (${count}).`,
  'columns-left-out': ({ columns, others }) =>
    `Daten, die nicht veröffentlicht werden: ${columns.map(nameColumn).join(', ')}${others > 0 ? ` und ${others} weitere` : ''}.`,
  'problem-at': ({ location, problem }, words) => `${formatLocation(location)}: ${words.reason(problem)}`,
};
