/** Filters of a list that a person keeps under names of their own, in their browser: what is kept is the address. */
import { announce } from '../live/announce.ts'

const PREFIX = 'filters:'

/** Filters of one list that are kept at most, and characters of a name. */
const MOST = 50
const LONGEST = 60

interface Saved {
  readonly name: string
  /** What follows the path: `?labels=bug`. */
  readonly query: string
}

class SavedFilters extends HTMLElement {
  connectedCallback(): void {
    this.#show()
    this.hidden = false
  }

  /** Of this person and this list: accounts that share a browser do not see each other's. */
  get #key(): string {
    const person = document.querySelector('meta[name=person]')?.getAttribute('content') ?? ''
    return `${PREFIX}${person}:${this.dataset.base}`
  }

  get #saved(): readonly Saved[] {
    try {
      return JSON.parse(window.localStorage.getItem(this.#key) ?? '[]') as Saved[]
    } catch {
      // The storage is refused by the browser, or has what is none of ours.
      return []
    }
  }

  #keep(filters: readonly Saved[], says: string): void {
    try {
      window.localStorage.setItem(this.#key, JSON.stringify(filters.slice(-MOST)))
      announce(says)
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      announce('The browser does not keep it')
    }
    this.#show()
    this.querySelector('details')?.setAttribute('open', '')
  }

  #show(): void {
    const menu = document.createElement('details')
    menu.className = 'menu'
    const summary = document.createElement('summary')
    summary.className = 'btn btn-sm'
    summary.textContent = 'Saved filters'
    const items = document.createElement('div')
    items.className = 'menu-items'
    for (const filter of this.#saved) items.append(this.#rowOf(filter))
    items.append(this.#formOf())
    menu.append(summary, items)
    this.replaceChildren(menu)
  }

  #rowOf({ name, query }: Saved): HTMLElement {
    const row = document.createElement('div')
    row.className = 'row saved-filter'
    const link = document.createElement('a')
    link.href = `${this.dataset.base}${query}`
    link.textContent = name
    if (window.location.search === query) link.setAttribute('aria-current', 'true')
    const remove = document.createElement('button')
    remove.type = 'button'
    remove.className = 'bar-button'
    remove.setAttribute('aria-label', `Forget ${name}`)
    remove.textContent = '×'
    remove.addEventListener('click', () =>
      this.#keep(
        this.#saved.filter(other => other.name !== name),
        `${name} is forgotten`,
      ),
    )
    row.append(link, remove)
    return row
  }

  /** What is shown now, under a name. */
  #formOf(): HTMLElement {
    const form = document.createElement('form')
    form.className = 'row'
    const field = document.createElement('input')
    field.className = 'form-control input-sm'
    field.setAttribute('aria-label', 'Name of the filter that is shown')
    field.placeholder = 'Name of this filter'
    field.maxLength = LONGEST
    field.required = true
    const button = document.createElement('button')
    button.className = 'btn btn-sm'
    button.textContent = 'Save'
    form.append(field, button)
    form.addEventListener('submit', event => {
      event.preventDefault()
      event.stopPropagation()
      const name = field.value.trim()
      if (name === '') return
      const others = this.#saved.filter(other => other.name !== name)
      this.#keep([...others, { name, query: window.location.search }], `${name} is saved`)
    })
    return form
  }
}

customElements.define('saved-filters', SavedFilters)
