/** Draws the results of a survey as SVG. GET /surveys lists the ids: node chart-survey.ts ID > chart.svg */
import type { SurveyQuestion } from 'rostra-client';
import { client } from './client.ts';

const lineHeight = 24;
const labelWidth = 320;
const barWidth = 400;

const id = process.argv[2];
if (id === undefined) throw new Error('Usage: node chart-survey.ts ID > chart.svg');
const { title, totalResponses, questions } = await client.surveyResults(id);

/** @returns the number that is 100 %. If people may choose several options, shares are shares of the people. */
function computeTotal({ questionType, options }: SurveyQuestion): number {
  const answers = options.reduce((sum, { responseCount }) => sum + responseCount, 0);
  return questionType === 'multiple_choice' || answers > totalResponses ? totalResponses : answers;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? '');

const shapes: string[] = [];
let line = 0;

function drawText(x: number, text: string, attributes = ''): void {
  shapes.push(`<text x="${x}" y="${line * lineHeight - 7}" ${attributes}>${escapeText(text)}</text>`);
}

line += 1;
drawText(10, `${title} (${totalResponses} responses)`, 'font-weight="bold"');
for (const question of questions) {
  line += 2;
  drawText(10, question.questionText);
  const total = computeTotal(question);
  for (const { optionText, responseCount } of question.options) {
    line += 1;
    const share = total === 0 ? 0 : responseCount / total;
    const width = Math.round(share * barWidth);
    const box = `x="${labelWidth + 10}" y="${(line - 1) * lineHeight}" width="${width}" height="${lineHeight - 4}"`;
    drawText(labelWidth, optionText, 'text-anchor="end"');
    shapes.push(`<rect ${box}/>`);
    drawText(labelWidth + width + 20, `${Math.round(100 * share)} % (${responseCount})`);
  }
}

console.log(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${labelWidth + barWidth + 120}"`,
    ` height="${(line + 1) * lineHeight}" font-family="sans-serif" font-size="14">`,
    '<rect width="100%" height="100%" fill="white"/>',
    '<g fill="#1f5f8b">',
    ...shapes,
    '</g>',
    '</svg>',
  ].join('\n'),
);
