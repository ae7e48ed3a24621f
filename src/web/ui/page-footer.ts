import type { FooterUrls } from '../../platform/http/footer-urls.ts';
import { link } from './components.ts';
import { html, type SafeHtml } from './html.ts';
import type { ViewContext } from './view-context.ts';

interface FooterContext extends Pick<ViewContext, 'text'> {
  /** Origin at which clients reach this installation, without a trailing slash; empty if unknown. */
  publicUrl: string;
  footerUrls: FooterUrls;
}

/** The footer of all pages: the documentation, and those pages of the operator that are configured. */
export function pageFooter({ text, publicUrl, footerUrls }: FooterContext): SafeHtml {
  const links = [
    { address: `${publicUrl}/docs`, name: text.layout.documentation },
    { address: footerUrls.imprint, name: text.navigation.imprint },
    { address: footerUrls.privacy, name: text.navigation.privacy },
    { address: footerUrls.accessibility, name: text.navigation.accessibility },
  ];
  const items = links.map(({ address, name }) => address && html`<li>${link(address, name)}</li>`);
  return html`<footer class="page-footer kern-container">
<ul class="inline-list kern-body kern-body--small">${items}</ul>
</footer>`;
}
