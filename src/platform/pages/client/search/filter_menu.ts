/** A menu with many entries gets a field that hides those in which what is typed does not occur, and finds those that are not listed. */

import { LatestAnswer } from '../live/latest_answer.ts'

const DELAY_MS = 200

class FilterMenu extends HTMLElement {
  #timer = 0
  readonly #answer = new LatestAnswer()

  connectedCallback(): void {
    this.querySelector('[data-filter]')?.removeAttribute('hidden')
    this.#input?.addEventListener('input', () => {
      this.#filter()
      clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => void this.#find(), DELAY_MS)
    })
    this.#input?.addEventListener('keydown', event => this.#key(event))
    this.addEventListener('click', event => this.#close(event))
    this.#menu?.addEventListener('toggle', () => {
      if (this.#menu?.open) this.#input?.focus()
    })
  }

  get #menu(): HTMLDetailsElement | null {
    return this.closest('details')
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('[data-filter] input')
  }

  /** Those that are not hidden: links, or boxes. */
  get #shown(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('li:not([hidden]) :is(a, input)')]
  }

  /** Those that are found by their names besides the first ones. */
  async #find(): Promise<void> {
    const { more, of } = this.dataset
    const search = this.#input?.value.trim() ?? ''
    if (more === undefined || of === undefined || search === '') return
    const address = new URL(more, location.href)
    address.searchParams.set('search', search)
    const page = await this.#answer.ask(address)
    if (page === undefined) return
    const found = new DOMParser().parseFromString(page, 'text/html')
    const inputs = (root: ParentNode) => [...root.querySelectorAll<HTMLInputElement>('li input')].filter(({ name }) => name === of)
    const known = new Set(inputs(this).map(({ value }) => value))
    for (const input of inputs(found)) {
      const item = input.closest('li')
      if (item && !known.has(input.value)) this.querySelector('ul')?.append(document.importNode(item, true))
    }
    this.#filter()
  }

  #filter(): void {
    const typed = this.#input?.value.trim().toLowerCase() ?? ''
    for (const item of this.querySelectorAll('li')) item.hidden = !(item.textContent ?? '').toLowerCase().includes(typed)
    const status = this.querySelector('[role=status]')
    if (status) status.textContent = typed === '' ? '' : `${this.#shown.length} found`
  }

  #key(event: KeyboardEvent): void {
    const [first] = this.#shown
    if (event.key === 'ArrowDown') first?.focus()
    else if (event.key === 'Enter') first?.click()
    else return
    event.preventDefault()
  }

  #close(event: Event): void {
    if (this.#menu && (event.target as Element).closest('a')) this.#menu.open = false
  }
}

customElements.define('filter-menu', FilterMenu)
