/** A menu with many entries gets a field that hides those in which what is typed does not occur. */

class FilterMenu extends HTMLElement {
  connectedCallback(): void {
    this.querySelector('[data-filter]')?.removeAttribute('hidden')
    this.#input?.addEventListener('input', () => this.#filter())
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
