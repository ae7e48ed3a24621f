import { type LabelOptions, labelledControl } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';

interface FileFieldOptions extends LabelOptions {
  /** Media types, separated by commas; default: all files. */
  accept?: string;
  /** A script reports a larger file before it is sent, with this message. */
  max?: { bytes: number; error: string };
}

export function fileField({ accept, max, ...options }: FileFieldOptions): SafeHtml {
  const { name, optional } = options;
  return labelledControl(
    options,
    (attributes) =>
      html`<input class="file-input kern-body" id="${name}" name="${name}" type="file"${accept ? html` accept="${accept}"` : ''}${max ? html` data-max-bytes="${max.bytes}" data-too-large="${max.error}"` : ''}${optional ? '' : html` required`}${attributes}>`,
  );
}
