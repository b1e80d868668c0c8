/**
 * A diagram in a text. It is drawn when it comes into view, in a frame of its own without any rights, one diagram after the other; its source stays on
 * the page, folded. Without a script, and where drawing fails, the source is shown. What the element adds stands in its shadow, where an update of the
 * page does not reach.
 */
import type { DrawReport, DrawRequest } from './messages.ts'

/** Characters of a diagram. */
const MOST_CHARACTERS = 10_000
/** Diagrams of a page that are drawn without being asked for. */
const MOST_DIAGRAMS = 20
/** Milliseconds in which the frame has to load the library and draw. */
const PATIENCE = 15_000
/** Px of the drawing. */
const HIGHEST = 5_000
/** How far below the window a diagram is drawn already. */
const NEAR = '300px'

const looks = new CSSStyleSheet()
looks.replaceSync(`
:host { display: block; margin-bottom: 1rem; }
iframe { display: block; width: 100%; height: 0; border: 0; }
[hidden] { display: none; }
p { margin: 0 0 0.5rem; color: var(--fgColor-muted); font-size: 0.8125rem; }
p button { font: inherit; }
summary { color: var(--fgColor-muted); font-size: 0.8125rem; cursor: pointer; }
details[open] > summary { margin-bottom: 0.5rem; }
`)

/** Those that were drawn or are to be. */
const drawn = new Set<MermaidDiagram>()
/** Ends when the diagram before is drawn. */
let before: Promise<void> = Promise.resolve()

/** Those in view draw themselves. */
const view = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) (target as MermaidDiagram).show()
  },
  { rootMargin: NEAR },
)

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

function isDark(): boolean {
  const mode = document.documentElement.dataset.colorMode
  return mode === 'dark' || (mode !== 'light' && prefersDark.matches)
}

class MermaidDiagram extends HTMLElement {
  #leaving: AbortController | undefined
  #frame: HTMLIFrameElement | undefined
  #shown: DrawRequest | undefined
  #parts: { readonly place: HTMLElement; readonly hint: HTMLElement; readonly source: HTMLDetailsElement } | undefined

  connectedCallback(): void {
    this.#parts ??= this.#make()
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    const again = () => {
      if (this.#shown) this.#redraw()
    }
    prefersDark.addEventListener('change', again, { signal })
    const observer = new MutationObserver(again)
    observer.observe(this, { childList: true, characterData: true, subtree: true })
    observer.observe(document.documentElement, { attributeFilter: ['data-color-mode'] })
    signal.addEventListener('abort', () => observer.disconnect())
    // An update of the page does not know that the diagram is drawn.
    this.addEventListener('turbo:before-morph-attribute', this.#keepDrawn, { signal })
    view.observe(this)
  }

  readonly #keepDrawn = (event: Event): void => {
    if ((event as CustomEvent<{ attributeName: string }>).detail.attributeName === 'data-drawn') event.preventDefault()
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    view.unobserve(this)
    drawn.delete(this)
    this.#clear()
  }

  /** Draws the diagram unless it is too much; `isAsked`: the reader wants it in any case. */
  show(isAsked = false): void {
    if (this.#shown) return
    view.unobserve(this)
    const { source } = this.#request()
    if (source.length > MOST_CHARACTERS) this.#say(`The diagram has more than ${MOST_CHARACTERS} characters: it is not drawn.`)
    else if (drawn.size >= MOST_DIAGRAMS && !isAsked) this.#offer()
    else {
      drawn.add(this)
      this.#redraw()
    }
  }

  #make() {
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [looks]
    root.innerHTML =
      '<div class="place"></div><p role="status" hidden></p><details open><summary>Source of the diagram</summary><slot></slot></details>'
    const found = <E extends Element>(selector: string) => root.querySelector<E>(selector) as E
    return { place: found<HTMLElement>('.place'), hint: found<HTMLElement>('p'), source: found<HTMLDetailsElement>('details') }
  }

  #request(): DrawRequest {
    return { source: this.querySelector('code')?.textContent ?? '', isDark: isDark() }
  }

  /** Asks for a drawing of what the source is now. */
  #redraw(): void {
    const request = this.#request()
    if (request.source === this.#shown?.source && request.isDark === this.#shown.isDark) return
    this.#shown = request
    const turn = before
    before = turn.then(async () => {
      // Meanwhile it may have gone, or have another source.
      if (this.isConnected && this.#shown === request) await this.#draw(request)
    })
  }

  /** Ends when the diagram is drawn, or given up. */
  #draw(request: DrawRequest): Promise<void> {
    const former = this.#frame
    const frame = document.createElement('iframe')
    // Scripts alone: no origin, so no cookie, no storage, and nothing of the page.
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.title = 'Diagram'
    frame.src = '/-/diagram'
    return new Promise(resolve => {
      const fail = (reason: string) => {
        resolve()
        if (this.#frame !== frame) return
        this.#clear()
        this.#say(`The diagram cannot be drawn${reason === '' ? '' : `: ${reason}`}`)
      }
      const timer = window.setTimeout(() => fail('it takes too long'), PATIENCE)
      const stop = new AbortController()
      const { signal } = stop
      this.#leaving?.signal.addEventListener('abort', () => stop.abort(), { signal })
      signal.addEventListener('abort', () => {
        window.clearTimeout(timer)
        resolve()
      })
      window.addEventListener(
        'message',
        ({ data, source }: MessageEvent<DrawReport>) => {
          if (this.#frame !== frame) return stop.abort()
          if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return
          if (data.kind === 'ready') frame.contentWindow?.postMessage(request, '*')
          if (data.kind === 'failed') {
            stop.abort()
            fail(String(data.reason))
          }
          if (data.kind !== 'drawn' || !Number.isFinite(data.height)) return
          window.clearTimeout(timer)
          resolve()
          this.#fit(frame, data.height, String(data.title))
        },
        { signal },
      )
      this.#frame = frame
      former?.remove()
      this.#parts?.place.append(frame)
    })
  }

  #fit(frame: HTMLIFrameElement, height: number, title: string): void {
    frame.style.height = `${Math.min(Math.max(height, 0), HIGHEST)}px`
    if (title !== '') frame.title = `Diagram: ${title}`
    const { hint, source } = this.#parts ?? {}
    if (hint) hint.hidden = true
    // Folded once: a reader who opens it keeps it open.
    if (source && !this.hasAttribute('data-drawn')) source.open = false
    this.toggleAttribute('data-drawn', true)
  }

  #clear(): void {
    this.#frame?.remove()
    this.#frame = undefined
    this.#shown = undefined
    this.removeAttribute('data-drawn')
    if (this.#parts) this.#parts.source.open = true
  }

  #say(text: string): void {
    const { hint } = this.#parts ?? {}
    if (!hint) return
    hint.textContent = text
    hint.hidden = false
  }

  /** A page of many diagrams would be slow: the reader says which to draw. */
  #offer(): void {
    this.#say('')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Draw the diagram'
    button.addEventListener('click', () => this.show(true))
    this.#parts?.hint.append(button)
  }
}

customElements.define('mermaid-diagram', MermaidDiagram)
