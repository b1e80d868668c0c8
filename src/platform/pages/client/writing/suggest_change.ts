/**
 * Puts a suggestion into the comment that is being typed. The server makes its text, from the lines that the form is about; without this the link
 * leads to the same form with it.
 */
class SuggestChange extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', event => {
      const link = this.querySelector('a')
      const text = this.closest('turbo-frame, main')?.querySelector<HTMLTextAreaElement>('textarea[name=body]')
      if (!link || !text || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      void this.#insert(link, text)
    })
  }

  async #insert(link: HTMLAnchorElement, text: HTMLTextAreaElement): Promise<void> {
    const address = new URL(link.href)
    const first = text.form?.elements.namedItem('first')
    if (first instanceof HTMLSelectElement || first instanceof HTMLInputElement) address.searchParams.set('first', first.value)
    const answer = await fetch(address).catch(() => undefined)
    const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : '', 'text/html')
    const suggested = page.querySelector<HTMLTextAreaElement>('textarea[name=body]')?.value
    if (suggested === undefined) {
      location.assign(address)
      return
    }
    const { selectionStart: at, value } = text
    const before = at === 0 || value[at - 1] === '\n' ? '' : '\n'
    text.focus()
    text.setRangeText(before + suggested, at, at, 'end')
    // The first line of the code is where one goes on.
    const begin = at + before.length + suggested.indexOf('\n') + 1
    text.setSelectionRange(begin, at + before.length + suggested.lastIndexOf('\n', suggested.length - 2))
    text.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

customElements.define('suggest-change', SuggestChange)
