/**
 * Says that changes were pushed which the page does not show. The element stands in a part that follows the merge request: its newest commit becomes
 * another one then. The link leads to what came since the commit that is shown.
 */
import { announce } from '../live/announce.ts'

class NewerChanges extends HTMLElement {
  #shown: string | undefined
  #isSaid = false

  connectedCallback(): void {
    if (this.#shown !== undefined) return
    this.#shown = this.dataset.head
    new MutationObserver(() => this.#say()).observe(this, { attributes: true, subtree: true })
  }

  #say(): void {
    const link = this.querySelector('a')
    if (!link || this.dataset.head === this.#shown) return
    const search = `?start_sha=${this.#shown}`
    // With each update of the page the link is again the one that the server sent.
    if (link.search !== search) link.search = search
    if (!link.hidden) return
    link.hidden = false
    if (!this.#isSaid) announce(link.textContent)
    this.#isSaid = true
  }
}

customElements.define('newer-changes', NewerChanges)
