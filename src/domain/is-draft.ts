/** "Draft" in European languages, and words for surveys that are not public yet, without diacritics. Compounds such as Entwurfsfassung match too. */
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
  // Unpublished, in preparation, planned: in the languages of the vocabulary
  ...['unpublished', 'not published', 'notpublished', 'in preparation', 'planned'],
  ...['unveroffentlicht', 'unveroeffentlicht', 'nicht veroffentlicht', 'nicht veroeffentlicht'],
  ...['in vorbereitung', 'geplant', 'in planung'],
  ...[
    'non publie',
    'en preparation',
    'planifie',
    'no publicad',
    'sin publicar',
    'en preparacion',
    'planificad',
  ],
  ...['no publicat', 'en preparacio', 'planificat', 'non pubblicat', 'in preparazione', 'pianificat'],
  ...['niet gepubliceerd', 'ongepubliceerd', 'in voorbereiding', 'gepland'],
  ...['nieopublikowan', 'niepublikowan', 'w przygotowaniu', 'planowan'],
];

/** Combining marks, and invisible characters such as a soft hyphen. */
const ignoredCharacters = /[\p{M}\p{Cf}]/gu;

/**
 * Recognises the status of a draft in any language, case and spelling: `Draft`, `drafts`, ` DRAFT `, `im Entwurf`,
 * `Entwürfe (intern)`, `brouillon`. Drafts are not published.
 */
export function isDraft(status: string): boolean {
  // Upper case first: ß and SS, and both forms of the Greek sigma, have the same upper case.
  const normalized = status.normalize('NFKD').replace(ignoredCharacters, '').toUpperCase().toLowerCase();
  const words = normalized.replaceAll(/[\s_-]+/g, ' ');
  return draftWords.some((word) => words.includes(word));
}
