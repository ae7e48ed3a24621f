/** The steps of a task, with the current one. */
import { html, type SafeHtml } from '@remix-run/html-template';

/** @param current index of the current step; the steps before it are done */
export function stepList(
  label: string,
  steps: readonly string[],
  current: number,
  doneLabel: string,
): SafeHtml {
  const items = steps.map((name, index) => {
    const isDone = index < current;
    return html`<li class="step-list__item${isDone ? ' step-list__item--done' : ''}"${index === current ? html` aria-current="step"` : ''}>${isDone ? html`<span class="hidden-text">${doneLabel} </span>` : ''}${name}</li>`;
  });
  return html`<nav aria-label="${label}"><ol class="step-list kern-body">${items}</ol></nav>`;
}
