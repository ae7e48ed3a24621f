import { html, type SafeHtml } from '@remix-run/html-template';
import { type LabelOptions, labelledControl } from './components.ts';

interface TextAreaOptions extends LabelOptions {
  value: string;
  rows: number;
}

/** A field for text of several lines, such as a mapping or a list of words. Browsers do not check its spelling. */
export function textArea({ value, rows, ...options }: TextAreaOptions): SafeHtml {
  const { name, error } = options;
  return labelledControl(
    options,
    // Browsers drop a line break at the beginning.
    (attributes) =>
      html`<textarea class="kern-form-input__input code-area${error ? ' kern-form-input__input--error' : ''}" id="${name}" name="${name}" rows="${rows}" spellcheck="false" autocomplete="off" dir="ltr"${attributes}>
${value}</textarea>`,
  );
}
