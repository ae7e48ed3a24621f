/** Finds SQL in the strings and templates of a source file. */
import { createScanner, SyntaxKind } from 'typescript/unstable/ast';

export interface SqlText {
  /** Position of the text in the source. */
  start: number;
  /** As in the source. `hole` replaces each character of `${…}`. */
  text: string;
}

/** U+FFFC OBJECT REPLACEMENT CHARACTER */
export const hole = '\uFFFC';

/** The program writes keywords in capitals. A part of a statement can be a single call. */
const sql = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN|WHERE|ORDER BY)\b|^coalesce\(/;

/** A slash after one of these divides; after another token, it begins a regular expression. */
const expressionEnds = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
]);

/** @returns in the order of their ends */
export function findSqlTexts(source: string): SqlText[] {
  const scanner = createScanner(true, undefined, source);
  const texts: SqlText[] = [];
  /** Templates that have not ended, with the number of open braces in their current `${…}`. */
  const open: (SqlText & { braces: number })[] = [];
  let previous: SyntaxKind | undefined;

  const read = (from: number, to: number) =>
    source.slice(scanner.getTokenStart() + from, scanner.getTokenEnd() - to);

  function continueTemplate(end: 1 | 2): void {
    const template = open.at(-1);
    if (template === undefined) return;
    const holeLength = scanner.getTokenStart() + 1 - template.start - template.text.length;
    template.text += hole.repeat(holeLength) + read(1, end);
    if (end === 1) texts.push({ start: template.start, text: template.text });
    if (end === 1) open.pop();
  }

  for (;;) {
    let kind = scanner.scan();
    if (kind === SyntaxKind.EndOfFile) return texts.filter(({ text }) => sql.test(text));
    if (kind === SyntaxKind.SlashToken && !(previous !== undefined && expressionEnds.has(previous)))
      kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.CloseBraceToken && open.at(-1)?.braces === 0)
      kind = scanner.reScanTemplateToken(false);
    const template = open.at(-1);
    const start = scanner.getTokenStart() + 1;
    if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral)
      texts.push({ start, text: read(1, 1) });
    else if (kind === SyntaxKind.TemplateHead) open.push({ start, text: read(1, 2), braces: 0 });
    else if (kind === SyntaxKind.TemplateMiddle) continueTemplate(2);
    else if (kind === SyntaxKind.TemplateTail) continueTemplate(1);
    else if (template !== undefined && kind === SyntaxKind.OpenBraceToken) template.braces += 1;
    else if (template !== undefined && kind === SyntaxKind.CloseBraceToken) template.braces -= 1;
    previous = kind;
  }
}
