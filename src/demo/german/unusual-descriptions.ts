/**
 * Descriptions with unusual but valid text. Combining characters are written as escapes, because an editor may
 * silently compose them.
 */
export const unusualDescriptions: readonly string[] = [
  'Die Website der Stadt zeigt überall „&amp;“ und „&uuml;“ statt der richtigen Zeichen. Und im Amtsblatt stand wörtlich „<b>Wichtig:</b> Wasserabschaltung“. Bitte korrigieren!',
  'Wenn ich im Formular <Straße> & "Hausnummer" eingebe, kommt die Meldung <script>alert(1)</script> nicht als Text, sondern als Fenster. Bitte sehen Sie sich das an.',
  'Bitte drucken Sie das Faltblatt zur Müllabfuhr auch auf Arabisch. Ein Vorschlag für die Überschrift:\n\nالرجاء وضع النفايات في الحاوية المناسبة\n\nEine Freundin hat es gegengelesen.',
  'Für den Gedenkstein an der ehemaligen Synagoge schlagen wir die hebräische Zeile vor:\nזכרו ואל תשכחו\n(„Erinnert euch und vergesst nicht“)',
  'مرحبا! نطلب ممرًا آمنًا للمشاة أمام المدرسة، لأن الأطفال يعبرون الشارع كل صباح.\n\n(Wir bitten um einen sicheren Übergang vor der Schule, weil die Kinder jeden Morgen über die Straße gehen.)',
  // Letters followed by a combining mark, as macOS writes file names.
  'Beim Kopieren aus dem PDF werden Umlaute zerlegt: Mühlbachstraße, Gänseberg, Schönblick. Dann findet die Suche auf der Stadtseite nichts mehr.',
  'Spielplatz 🛝 + Wasserspiel 💦 + Schatten 🌳 = glückliche Kinder 👨‍👩‍👧‍👦\n\nMehr brauche ich dazu eigentlich nicht zu sagen.',
  '„Wer“, fragte mein Enkel, „hat eigentlich die Rutsche gestohlen?“ – Ich konnte es ihm nicht sagen. Die Rutsche in Seefelden wurde im März „zur Wartung“ abgebaut und kam nie zurück.',
  'Hallo,\n\n1.  Licht am Radweg\n2.  Licht am Steg\n3.  Licht in der Unterführung\n\n\tDanke.',
  'Es wäre schön, wenn die Stadt bei Straßennamen das große ẞ zuließe: GROẞE FÄRBERGASSE statt GROSSE FÄRBERGASSE.',
  'BITTE!!! MACHEN SIE ENDLICH ETWAS GEGEN DIE TAUBEN AUF DEM MARKTPLATZ!!!',
  'könnte man vielleicht die bank am fähranleger umdrehen? man sitzt mit dem rücken zum see. danke',
  'Proszę o tablicę informacyjną przy przystani także po polsku. Wielu gości przyjeżdża z Polski, a szlak rowerowy jest źle oznaczony.',
  'Lütfen Bürgerbüro’da Türkçe bir broşür de bulunsun: İkamet değişikliği, çöp takvimi, kreş başvurusu.\n\n(Ein Merkblatt auf Türkisch zu Ummeldung, Müllkalender und Kita-Anmeldung wäre vielen eine Hilfe.)',
  'Просимо про оголошення українською на вокзалі. Дякуємо! 💙💛',
  'Formel für die Parkgebühr, wie ich sie verstehe: 2,00 € × ⌈t ÷ 30 min⌉, höchstens aber 12 €. Auf dem Automaten steht etwas anderes. Was gilt?',
];
