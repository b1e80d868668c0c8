/** A board: columns that grow as they are scrolled, an issue beside it, and the arrow keys over its cards. */

const CARD = '.card'

class IssueBoard extends HTMLElement {
  #leaving: AbortController | undefined
  /** The card whose issue is shown beside the board. */
  #opened: HTMLElement | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    this.addEventListener('turbo:frame-load', event => this.#grow(event.target as HTMLElement), { signal })
    this.addEventListener('sortable:moved', () => this.#remember(), { signal })
    this.addEventListener('click', event => this.#click(event), { signal })
    this.addEventListener('submit', event => void this.#submit(event), { signal })
    this.addEventListener('keydown', event => this.#key(event), { signal })
    document.addEventListener('keydown', event => this.#escape(event), { signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
  }

  /** What was loaded at the end of a column becomes part of it. */
  #grow(frame: HTMLElement): void {
    if (frame.id === 'board-panel') {
      frame.querySelector<HTMLElement>('h2')?.focus()
      return
    }
    const list = frame.previousElementSibling
    if (!frame.matches('[data-rest]') || !list) return
    const known = new Set([...list.children].map(({ id }) => id))
    const cards = [...frame.querySelectorAll<HTMLElement>(`:scope > ul > ${CARD}`)]
    list.append(...cards.filter(({ id }) => !known.has(id)))
    const next = frame.querySelector('turbo-frame')
    if (next) frame.replaceWith(next)
    else frame.remove()
    this.#remember()
  }

  /** Names what the page shows now, for when it is fetched again. */
  #remember(): void {
    const address = new URL(window.location.href)
    const sizes = [...this.querySelectorAll<HTMLElement>('[data-sort-list=issue]')].map(
      list => `${list.dataset.sortValue}:${list.childElementCount}`,
    )
    address.searchParams.set('shown', sizes.join(','))
    this.dataset.refreshFrom = address.href
  }

  get #panel(): HTMLElement | null {
    return this.querySelector('.board-panel')
  }

  #click(event: MouseEvent): void {
    const target = event.target as Element
    if (target.closest('[data-close-panel]')) {
      this.#close()
      return
    }
    const card = target.closest<HTMLElement>(CARD)
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!card || !isPlain || event.defaultPrevented || (target.closest('a, button') && !target.closest('.title a'))) return
    event.preventDefault()
    this.#open(card)
  }

  #open(card: HTMLElement): void {
    const frame = this.querySelector('#board-panel')
    if (!this.#panel || !frame || card.dataset.panel === undefined) return
    this.#opened = card
    this.#panel.hidden = false
    frame.setAttribute('src', card.dataset.panel)
  }

  #close(): void {
    if (!this.#panel || this.#panel.hidden) return
    this.#panel.hidden = true
    const frame = this.querySelector('#board-panel')
    frame?.removeAttribute('src')
    frame?.replaceChildren()
    const card = this.#opened?.isConnected ? this.#opened : document.getElementById(this.#opened?.id ?? '')
    card?.querySelector<HTMLElement>('.title a')?.focus()
    this.#opened = undefined
  }

  #escape(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.defaultPrevented) this.#close()
  }

  /** A new issue appears in its column, and the next one can be typed. */
  async #submit(event: SubmitEvent): Promise<void> {
    const form = event.target as HTMLFormElement
    if (!form.matches('.column-new form')) return
    event.preventDefault()
    event.stopPropagation()
    const response = await fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
      headers: { accept: 'text/html', 'x-part': '1' },
    })
    // The page that says why not, or where to sign in.
    if (!response.ok || response.redirected) {
      form.submit()
      return
    }
    const title = form.querySelector<HTMLInputElement>('[name=title]')
    if (title) title.value = ''
    title?.focus()
    form.dispatchEvent(new CustomEvent('sortable:moved', { bubbles: true }))
  }

  /** Up and down within a column, left and right between them. */
  #key(event: KeyboardEvent): void {
    const link = (event.target as Element).closest<HTMLElement>(`${CARD} .title a`)
    if (!link || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return
    const next = besides(this, link, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
    next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
}

const linksIn = (column: Element): HTMLElement[] => [...column.querySelectorAll<HTMLElement>(`${CARD} .title a`)]

/** The title of the next card in the direction of an arrow. */
function besides(board: HTMLElement, link: HTMLElement, key: string): HTMLElement | undefined {
  const columns = [...board.querySelectorAll('.board-column')]
  const here = columns.findIndex(column => column.contains(link))
  const links = linksIn(columns[here] as Element)
  const index = links.indexOf(link)
  if (key === 'ArrowUp' || key === 'ArrowDown') return links[index + (key === 'ArrowUp' ? -1 : 1)]
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const others = key === 'ArrowLeft' ? columns.slice(0, here).reverse() : columns.slice(here + 1)
  const nearest = others.map(linksIn).find(all => all.length > 0)
  return nearest?.[Math.min(index, nearest.length - 1)]
}

customElements.define('issue-board', IssueBoard)
