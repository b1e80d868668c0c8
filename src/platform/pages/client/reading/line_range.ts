/** Lines of a file or log: `#L10-20` marks them, a click on a number sets the beginning, with Shift the end. Without a script a single line is marked. */

class LineRange extends HTMLElement {
  readonly #follow = () => this.#mark(true)

  connectedCallback(): void {
    this.addEventListener('click', event => this.#choose(event))
    addEventListener('hashchange', this.#follow)
    this.#mark(true)
  }

  disconnectedCallback(): void {
    removeEventListener('hashchange', this.#follow)
  }

  #choose(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-line]')
    const line = Number(link?.dataset.line)
    if (!link || Number.isNaN(line)) return
    event.preventDefault()
    const [from] = rangeOf(location.hash) ?? [line]
    const hash = event.shiftKey ? `#L${Math.min(from, line)}-${Math.max(from, line)}` : `#L${line}`
    // The link of a long log names the part that has the line.
    history.replaceState(history.state, '', `${link.search}${hash}`)
    this.#mark(false)
  }

  #mark(scrolls: boolean): void {
    for (const row of this.querySelectorAll('.selected[id]')) row.classList.remove('selected')
    const range = rangeOf(location.hash)
    this.#keepInPermalink(range ? location.hash : '')
    if (!range) return
    const [from, to] = range
    for (let line = from; line <= to; line++) this.querySelector(`#L${line}`)?.classList.add('selected')
    if (scrolls) this.#show(from)
  }

  /** The permanent address of the file names the same lines. */
  #keepInPermalink(hash: string): void {
    const link = document.querySelector<HTMLAnchorElement>('a[data-hotkey="y"]')
    if (link) link.hash = hash
  }

  /** Scrolls to a line, and unfolds what it lies in. */
  #show(line: number): void {
    const row = this.querySelector(`#L${line}`)
    for (let around = row?.closest('details'); around; around = around.parentElement?.closest('details')) around.open = true
    row?.scrollIntoView({ block: 'center' })
  }
}

/** Lines that a hash may mark. */
const MOST = 10_000

/** `#L10-20` and `#L10-L20` as `[10, 20]`, `#L10` as `[10, 10]`. */
function rangeOf(hash: string): [number, number] | undefined {
  const [, from, to = from] = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? []
  if (from === undefined) return undefined
  const first = Number(from)
  return [first, Math.min(Math.max(first, Number(to)), first + MOST)]
}

customElements.define('line-range', LineRange)

export {}
