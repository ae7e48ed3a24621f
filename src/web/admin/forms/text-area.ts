import { type LabelOptions, labelledControl } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';

interface TextAreaOptions extends LabelOptions {
  value: string;
  rows: number;
  /** Sentences, rather than a mapping or a list of words. */
  isProse?: boolean;
}

/** A field for text of several lines. Browsers check the spelling of sentences only. */
export function textArea({ value, rows, isProse = false, ...options }: TextAreaOptions): SafeHtml {
  const { name, error } = options;
  return labelledControl(
    options,
    // Browsers drop a line break at the beginning.
    (attributes) =>
      html`<textarea class="kern-form-input__input${isProse ? '' : ' code-area'}${error ? ' kern-form-input__input--error' : ''}" id="${name}" name="${name}" rows="${rows}" autocomplete="off"${isProse ? '' : html` spellcheck="false" dir="ltr"`}${attributes}>
${value}</textarea>`,
  );
}
