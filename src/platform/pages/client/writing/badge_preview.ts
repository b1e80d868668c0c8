/** A badge as it would look with the addresses that are being typed. */
import { LatestAnswer } from '../live/latest_answer.ts'

const BADGE_DELAY_MS = 300
const INCOMPLETE = 'The badge appears here once both addresses are complete.'

class BadgePreview extends HTMLElement {
  #timer = 0
  readonly #answer = new LatestAnswer()
  #leaving: AbortController | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    this.setAttribute('aria-live', 'polite')
    const form = this.closest('main')?.querySelector<HTMLInputElement>('input[name=image_url]')?.form
    form?.addEventListener('input', () => this.#wait(form), { signal: this.#leaving.signal })
    if (form && this.dataset.typed !== undefined) this.#wait(form)
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    clearTimeout(this.#timer)
    this.#answer.drop()
  }

  #wait(form: HTMLFormElement): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#ask(new FormData(form)), BADGE_DELAY_MS)
  }

  async #ask(typed: FormData): Promise<void> {
    const sent = new URLSearchParams()
    for (const name of ['name', 'link_url', 'image_url']) {
      const value = String(typed.get(name) ?? '')
      if (value !== '') sent.set(name, value)
    }
    const shown = await this.#answer.ask(`${this.dataset.from}?${sent}`, INCOMPLETE)
    if (shown !== undefined) this.innerHTML = shown
  }
}

customElements.define('badge-preview', BadgePreview)
