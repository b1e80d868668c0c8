/**
 * A PDF on its page, where the browser has a viewer. The frame has no sandbox: browsers give their viewer to none that has one. The document is served
 * as a PDF and nothing else, under a policy of its own, and the viewer keeps it away from the page. Elsewhere the content of the element leads to it.
 */
const looks = new CSSStyleSheet()
looks.replaceSync(`
:host { display: block; }
iframe { display: block; width: 100%; height: 80vh; margin-top: 1rem; border: 0; }
`)

class PdfDocument extends HTMLElement {
  connectedCallback(): void {
    const { src, label } = this.dataset
    if (!navigator.pdfViewerEnabled || src === undefined || this.shadowRoot) return
    const frame = document.createElement('iframe')
    frame.src = src
    frame.title = label ?? ''
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [looks]
    root.append(document.createElement('slot'), frame)
  }
}

customElements.define('pdf-document', PdfDocument)
