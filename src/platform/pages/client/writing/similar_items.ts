/** Items whose title has the words of the one that is being typed. */

import { LatestAnswer } from '../live/latest_answer.ts'

const DELAY_MS = 300

class SimilarItems extends HTMLElement {
  #timer = 0
  readonly #answer = new LatestAnswer()
  #leaving: AbortController | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const field = document.querySelector<HTMLInputElement>('input[name=title]')
    this.setAttribute('aria-live', 'polite')
    field?.addEventListener('input', () => this.#wait(field.value), { signal: this.#leaving.signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    this.#answer.drop()
    clearTimeout(this.#timer)
  }

  #wait(title: string): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#ask(title), DELAY_MS)
  }

  async #ask(title: string): Promise<void> {
    const items = await this.#answer.ask(`${this.dataset.from}?${new URLSearchParams({ title: title.slice(0, 255) })}`)
    if (items !== undefined) this.innerHTML = items
  }
}

customElements.define('similar-items', SimilarItems)
