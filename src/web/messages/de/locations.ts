import type { Messages } from '../en.ts';

export const locations: Messages['locations'] = {
  title: 'Standorte der Anliegen',
  open: 'Einstellungen für Standorte bearbeiten',
  intro:
    'Ein Standort zeigt, auf welchen Ort sich ein Anliegen bezieht. Viele Menschen melden etwas, das ihre eigene Wohnung oder Straße betrifft. Dann kann der Standort zeigen, wo sie wohnen, auch wenn ihr Name nicht veröffentlicht wird.',
  both: 'Ein Standort wird nur veröffentlicht, wenn Sie hier eine Genauigkeit wählen und Standorte in den Einstellungen der Quelle erlauben.',
  legend: 'Genauigkeit',
  precisions: {
    off: {
      text: 'Es werden keine Standorte veröffentlicht',
      hint: 'Rostra speichert keine Koordinaten.',
    },
    3: {
      text: 'Drei Nachkommastellen: etwa 100 Meter (empfohlen)',
      hint: 'Ein Punkt wird um bis zu etwa 70 Meter verschoben. In der Stadt zeigt er deshalb nicht, welches Haus gemeint ist. Wo nur wenige Häuser stehen, kann er es dennoch zeigen.',
    },
    4: {
      text: 'Vier Nachkommastellen: etwa 10 Meter',
      hint: 'Ein Punkt zeigt das Haus. Wählen Sie diese Genauigkeit nur, wenn niemand etwas zur eigenen Wohnung meldet oder alle Meldenden von der Veröffentlichung wissen.',
    },
  },
  topics: 'Themen ohne Standort',
  topicsHint:
    'Je Zeile ein Thema, so wie es in den Daten steht. Anliegen zu diesen Themen werden ohne Standort veröffentlicht, zum Beispiel zu Nachbarschaft oder Sozialem.',
  effect:
    'Eine geringere Genauigkeit, ein weiteres Thema und das Ende der Veröffentlichung gelten sofort für alles, was Rostra gespeichert hat. Kopien bei anderen, Sicherungen und noch nicht gelöschte hochgeladene Dateien behalten die bisherigen Koordinaten. Eine höhere Genauigkeit gilt ab dem nächsten Import der jeweiligen Quelle.',
  sources: 'Quellen',
  noSources: 'Es gibt noch keine Quellen mit Standorten.',
  saved: 'Die Einstellungen für Standorte wurden gespeichert',
  topicsWrong: (maxLength) =>
    `Themen ohne Standort: Geben Sie je Zeile ein Thema mit höchstens ${maxLength} Zeichen ein.`,
  precisionMissing: 'Genauigkeit: Wählen Sie eine Angabe.',
};
