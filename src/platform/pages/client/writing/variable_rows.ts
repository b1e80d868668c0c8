/** Variables as rows of a form: shows an empty row where one is wanted, and those that the CI file of a chosen branch asks for. */

class VariableRows extends HTMLElement {
  #leaving: AbortController | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    for (const row of this.querySelectorAll<HTMLElement>('[data-empty]')) row.hidden = true
    const add = this.querySelector<HTMLElement>('[data-add]')
    add?.removeAttribute('hidden')
    add?.querySelector('button')?.addEventListener('click', () => this.#add(), { signal })
    if (!document.querySelector('[data-about-ref]')) return
    const ref = this.closest('form')?.querySelector<HTMLInputElement>('[data-asks-for-variables] input, input[name=ref]')
    ref?.addEventListener('change', () => void this.#ask(ref.value), { signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
  }

  #add(): void {
    const next = this.querySelector<HTMLElement>('[data-empty][hidden]')
    const row = next ?? this.#copied()
    if (!row) return
    row.hidden = false
    row.querySelector<HTMLElement>('input:not([type=hidden]), select')?.focus()
  }

  /** Another row, once those that the server made are used up. */
  #copied(): HTMLElement | undefined {
    const rows = [...this.querySelectorAll<HTMLElement>('.variable-row')]
    const last = rows.at(-1)
    if (!last) return undefined
    const row = last.cloneNode(true) as HTMLElement
    for (const field of row.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) field.value = ''
    for (const field of row.querySelectorAll('[aria-label]'))
      field.setAttribute('aria-label', (field.getAttribute('aria-label') ?? '').replace(/\d+$/, String(rows.length + 1)))
    last.after(row)
    return row
  }

  /** The same page for another branch or tag has the rows that its CI file asks for. */
  async #ask(ref: string): Promise<void> {
    const to = this.querySelector('[data-offered]')
    if (!to) return
    const answer = await fetch(`${location.pathname}?ref=${encodeURIComponent(ref)}`, { signal: this.#leaving?.signal ?? null }).catch(
      () => undefined,
    )
    if (!answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const rows = page.querySelector('variable-rows [data-offered]')
    if (rows) to.replaceWith(rows)
    const [here, there] = [document, page].map(of => of.querySelector('[data-about-ref]'))
    if (here && there) here.replaceWith(there)
  }
}

if (!customElements.get('variable-rows')) customElements.define('variable-rows', VariableRows)
