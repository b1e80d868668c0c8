/** A form that searches while one types: it is sent into its frame, and arrows move among what is found there. */

const DELAY_MS = 200

class LiveSearch extends HTMLElement {
  #timer = 0

  connectedCallback(): void {
    const form = this.querySelector('form')
    form?.querySelector('button')?.setAttribute('hidden', '')
    this.addEventListener('input', this.#onInput)
    this.addEventListener('keydown', this.#onKey)
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer)
    this.removeEventListener('input', this.#onInput)
    this.removeEventListener('keydown', this.#onKey)
  }

  readonly #onInput = (): void => {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.querySelector('form')?.requestSubmit(), DELAY_MS)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return
    const id = this.querySelector('form')?.dataset.turboFrame
    const frame = id === undefined ? null : document.getElementById(id)
    const [first] = frame?.querySelectorAll<HTMLElement>('button, input:not([type=hidden]), a') ?? []
    if (!first) return
    event.preventDefault()
    first.focus()
  }
}

/** Arrows move among buttons that stand in a grid. */
document.addEventListener('keydown', event => {
  const button = event.target
  if (!(button instanceof HTMLElement) || !button.matches('.emoji-grid button')) return
  const all = [...(button.closest('.emoji-grid')?.querySelectorAll<HTMLElement>('button') ?? [])]
  const top = (all[0] as HTMLElement).offsetTop
  const columns = Math.max(1, all.filter(other => other.offsetTop === top).length)
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }
  const next = all[all.indexOf(button) + (steps[event.key] ?? Number.NaN)]
  if (!next) return
  event.preventDefault()
  next.focus()
})

customElements.define('live-search', LiveSearch)

export {}
