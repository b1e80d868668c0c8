/** Items whose title has the words of the one that is being typed. */

const DELAY_MS = 300

class SimilarItems extends HTMLElement {
  #timer = 0
  #asked = 0
  #leaving: AbortController | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const field = document.querySelector<HTMLInputElement>('input[name=title]')
    this.setAttribute('aria-live', 'polite')
    field?.addEventListener('input', () => this.#wait(field.value), { signal: this.#leaving.signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    clearTimeout(this.#timer)
  }

  #wait(title: string): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#ask(title), DELAY_MS)
  }

  async #ask(title: string): Promise<void> {
    const number = ++this.#asked
    const response = await fetch(`${this.dataset.from}?${new URLSearchParams({ title: title.slice(0, 255) })}`, {
      headers: { 'x-part': '1' },
    })
    if (number === this.#asked && response.ok) this.innerHTML = await response.text()
  }
}

customElements.define('similar-items', SimilarItems)
