/**
 * The log of a job: whether lines are wrapped is remembered for the next one. Of a running job, who looks at its end stays there while it grows, who
 * reads elsewhere is left there. An address with a line that the page does not show leads to the page that does.
 */

/** Pixels from the end of the page within which one looks at the end. */
const NEAR = 120

/** Where the browser remembers that lines are not wrapped. */
const WRAPS = 'log-wraps'

class JobLog extends HTMLElement {
  #observer: MutationObserver | undefined
  #isAtEnd = false
  readonly #onScroll = () => {
    this.#isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - NEAR
  }

  connectedCallback(): void {
    this.#rememberWrap()
    if (this.#leadsElsewhere()) return
    if (!this.hasAttribute('data-follows')) return
    // Unless the address names a line, the end is what one came for.
    this.#isAtEnd = location.hash === ''
    this.#follow()
    window.addEventListener('scroll', this.#onScroll, { passive: true })
    this.#observer = new MutationObserver(() => this.#follow())
    this.#observer.observe(this, { childList: true, subtree: true, characterData: true })
  }

  disconnectedCallback(): void {
    window.removeEventListener('scroll', this.#onScroll)
    this.#observer?.disconnect()
  }

  /**
   * The server does not see `#L12` of an address: where the part of a long log that it has sent lacks the line, the page with the line is opened.
   * @returns whether it is on its way
   */
  #leadsElsewhere(): boolean {
    const [, line] = /^#L(\d{1,9})(?:-\d+)?$/.exec(location.hash) ?? []
    const url = new URL(location.href)
    if (line === undefined || document.getElementById(`L${line}`) || url.searchParams.get('line') === line) return false
    url.searchParams.set('line', line)
    location.replace(url)
    return true
  }

  #rememberWrap(): void {
    const box = this.closest('section')?.querySelector<HTMLInputElement>('.log-wraps')
    if (!box) return
    try {
      box.checked = localStorage.getItem(WRAPS) !== 'no'
      box.onchange = () => localStorage.setItem(WRAPS, box.checked ? 'yes' : 'no')
    } catch {
      // A browser that keeps nothing: the box then counts for this page alone.
    }
  }

  #follow(): void {
    if (this.#isAtEnd) window.scrollTo({ top: document.documentElement.scrollHeight })
  }
}

customElements.define('job-log', JobLog)

export {}
