/** Renders the content of a message as plain text and as HTML: accessible, without remote content. */
import { html, type SafeHtml } from '@remix-run/html-template';

export interface MailContent {
  /** For the attribute `lang`. */
  language: string;
  subject: string;
  paragraphs: readonly string[];
  /** Groups of facts, such as one key or one failed import. */
  groups: readonly (readonly (readonly [label: string, value: string])[])[];
  /** Leads to the page that resolves the matter. */
  action: { label: string; url: string } | undefined;
  /** Paragraphs after the link. */
  remarks: readonly string[];
  /** Why the reader receives the message. */
  footer: readonly string[];
  /** How to receive fewer messages. */
  footerLinks: readonly { label: string; url: string }[];
}

export interface MailBody {
  subject: string;
  text: string;
  html: string;
}

export function renderMail(content: MailContent): MailBody {
  const subject = toOneLine(content.subject);
  return {
    subject,
    text: renderText({ ...content, subject }),
    html: String(renderHtml({ ...content, subject })),
  };
}

/** A line break would begin another header, or look like a paragraph of ours. */
const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

function renderText({ paragraphs, groups, action, remarks, footer, footerLinks }: MailContent): string {
  const blocks = [
    ...paragraphs.map(toOneLine),
    ...groups.map((facts) => facts.map(([label, value]) => `${label}: ${toOneLine(value)}`).join('\n')),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...remarks.map(toOneLine),
  ];
  const end = [...footer.map(toOneLine), ...footerLinks.map(({ label, url }) => `${label}:\n${url}`)];
  // The line "-- " begins a signature (RFC 3676, section 4.3).
  return `${blocks.join('\n\n')}\n\n-- \n${end.join('\n')}\n`;
}

/** Style sheets of mail programs vary, so every element has its own style. Colours have a contrast of 4.5 or more. */
const styles = {
  body: 'margin:0;padding:24px 16px;background-color:#ffffff;color:#171a2b;font-family:"Fira Sans",Arial,sans-serif;font-size:16px;line-height:1.5',
  content: 'max-width:600px;margin:0 auto',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600',
  paragraph: 'margin:0 0 16px',
  table: 'width:100%;margin:0 0 24px;border-collapse:collapse;border-top:2px solid #323e9e',
  label:
    'padding:8px 12px 8px 0;width:36%;text-align:left;vertical-align:top;font-weight:600;border-bottom:1px solid #c8cbdf',
  value:
    'padding:8px 0;vertical-align:top;border-bottom:1px solid #c8cbdf;overflow-wrap:anywhere;word-break:break-word',
  action: 'margin:0 0 24px',
  button:
    'display:inline-block;padding:12px 20px;background-color:#323e9e;color:#ffffff;text-decoration:none;font-weight:600;border-radius:4px',
  url: 'margin:0 0 24px;font-size:14px;overflow-wrap:anywhere;word-break:break-word',
  link: 'color:#323e9e',
  footer: 'margin:32px 0 0;padding:16px 0 0;border-top:1px solid #c8cbdf;font-size:14px;color:#525a70',
} as const;

function renderHtml(content: MailContent): SafeHtml {
  const { language, subject, paragraphs, groups, action, remarks, footer, footerLinks } = content;
  const toParagraph = (text: string) => html`<p style="${styles.paragraph}">${toOneLine(text)}</p>\n`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="${styles.body}">
<div role="article" lang="${language}" style="${styles.content}">
<h1 style="${styles.heading}">${subject}</h1>
${paragraphs.map(toParagraph)}${groups.map(renderFacts)}${action === undefined ? '' : renderAction(action)}${remarks.map(toParagraph)}<div style="${styles.footer}">
${footer.map(toParagraph)}${footerLinks.map(({ label, url }) => html`<p style="${styles.paragraph}"><a href="${url}" style="${styles.link}">${label}</a></p>\n`)}</div>
</div>
</body>
</html>
`;
}

function renderFacts(facts: MailContent['groups'][number]): SafeHtml {
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" style="${styles.label}">${label}</th><td style="${styles.value}"><bdi>${toOneLine(value)}</bdi></td></tr>\n`,
  );
  return html`<table style="${styles.table}">\n${rows}</table>\n`;
}

/** The address is visible too: readers can check it before they open it. */
function renderAction({ label, url }: NonNullable<MailContent['action']>): SafeHtml {
  return html`<p style="${styles.action}"><a href="${url}" style="${styles.button}">${label}</a></p>
<p style="${styles.url}"><a href="${url}" style="${styles.link}">${url}</a></p>
`;
}
