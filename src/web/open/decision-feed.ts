/** The latest decisions as an Atom feed (RFC 4287). */
import type { PublishedDataset } from '../../domain/records/published-dataset.ts';
import type { SubmissionRecord } from '../../domain/records/records.ts';
import { isSliceUsedUp, mapInSlices, waitForSlice } from '../../platform/time-slices.ts';
import { type Language, messages } from '../messages/languages.ts';
import { describeApiValue } from '../ui/components.ts';
import { html, type SafeHtml } from '../ui/html.ts';
import { excerpt, withoutTitle } from '../ui/records/imported-text.ts';
import { submissionTitle } from '../ui/records/submission-content.ts';

const maxSummaryLength = 1_000;

/** A feed must have a time. */
const timeWithoutDecisions = '1970-01-01T00:00:00.000Z';

interface FeedOptions {
  language: Language;
  /** Of the municipality's page, with the origin. */
  home: string;
  /** Of the feed itself. */
  address: string;
}

/** The escapes of the template tag are those of XML, too. */
export async function* writeDecisionFeed(
  dataset: PublishedDataset,
  { language, home, address }: FeedOptions,
): AsyncGenerator<string> {
  const { id, name } = JSON.parse(dataset.organization) as { id: string; name: string };
  const decisions = await mapInSlices(
    await dataset.readDecidedSubmissions(),
    (document) => JSON.parse(document) as SubmissionRecord,
  );
  const title = `${messages[language].openDataPages.decisions} – ${name}`;
  yield String(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>urn:uuid:${id}</id>
<title>${keepXmlCharacters(title)}</title>
<updated>${decisions[0]?.statusChangedAt ?? timeWithoutDecisions}</updated>
<author><name>${keepXmlCharacters(name)}</name></author>
<link rel="self" type="application/atom+xml" href="${address}"/>
<link rel="alternate" type="text/html" href="${home}"/>
`);
  for (const decision of decisions) {
    yield String(entry(decision, language, dataset.language, home));
    if (isSliceUsedUp()) await waitForSlice();
  }
  yield '</feed>\n';
}

function entry(
  submission: SubmissionRecord,
  language: Language,
  dataLanguage: PublishedDataset['language'],
  home: string,
): SafeHtml {
  const context = { text: messages[language] };
  const { id, status, statusChangedAt, createdAt, topicCategoryName, description, title } = submission;
  const decision = describeApiValue(status, context);
  const topic =
    topicCategoryName !== null && html`<category term="${keepXmlCharacters(topicCategoryName)}"/>\n`;
  return html`<entry>
<id>urn:uuid:${id}</id>
<title>${keepXmlCharacters(`${decision}: ${submissionTitle(context, submission)}`)}</title>
<updated>${statusChangedAt}</updated>
<published>${createdAt}</published>
<link rel="alternate" type="text/html" href="${home}/submissions/${id}"/>
<category term="${status}" label="${decision}"/>
${topic || ''}<summary${dataLanguage === null ? '' : html` xml:lang="${dataLanguage}"`}>${keepXmlCharacters(excerpt(withoutTitle(description, title), maxSummaryLength))}</summary>
</entry>
`;
}

/** Removes the characters that XML 1.0 cannot contain, not even escaped (section 2.2). */
const keepXmlCharacters = (text: string) =>
  text.toWellFormed().replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
