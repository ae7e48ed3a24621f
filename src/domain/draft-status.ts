/** "Draft" in the languages of Europe, without diacritics. A longer word that contains one, such as Entwurfsfassung, is a draft too. */
const draftWords = [
  // English, German, Luxembourgish
  ...['draft', 'entwurf', 'entwuerf', 'entworf'],
  // French, Spanish, Galician, Portuguese, Catalan, Basque, Italian, Maltese, Romanian
  ...['brouillon', 'ebauche', 'borrador', 'rascunho', 'esborran', 'zirriborro', 'bozza', 'bozze', 'abbozz'],
  ...['ciorna', 'ciorne', 'schita', 'schite'],
  // Dutch, Danish, Norwegian, Swedish
  ...['concept', 'ontwerp', 'udkast', 'kladd', 'utkast'],
  // Polish, Czech, Slovak, Slovene, Croatian, Serbian, Bulgarian, Macedonian, Russian, Ukrainian
  ...['szkic', 'roboczy', 'robocza', 'koncept', 'osnutek', 'osnutk', 'nacrt', 'нацрт', 'чернов', 'черновик'],
  ...['чернетк', 'скица', 'skica'],
  // Lithuanian, Latvian, Estonian, Finnish, Hungarian
  ...['juodrast', 'melnrakst', 'mustand', 'kavand', 'luonno', 'piszkozat', 'vazlat', 'tervezet'],
  // Greek, Turkish, Irish, Welsh
  ...['προχειρ', 'προσχεδι', 'taslak', 'dreacht', 'drafft'],
];

/** Marks, and characters that are invisible, such as a soft hyphen. */
const unseen = /[\p{M}\p{Cf}]/gu;

/**
 * Whether the status of a survey says that it is a draft, in any language, case and spelling: `Draft`, `drafts`,
 * ` DRAFT `, `im Entwurf`, `Entwürfe (intern)`, `brouillon`. A draft must not be served.
 */
export function isDraft(status: string): boolean {
  // Upper case first: it is the same for ß and SS, and for the two forms of a Greek sigma.
  const folded = status.normalize('NFKD').replace(unseen, '').toUpperCase().toLowerCase();
  return draftWords.some((word) => folded.includes(word));
}
