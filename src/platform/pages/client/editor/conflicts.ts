/**
 * The page that resolves conflicts: counts what is decided, decides all of them, gives each text its editor when it is opened, and says when the
 * branches have moved since the page was loaded.
 */

/** The text of a file is edited: it counts, and not the choices. */
function openEditor(details: HTMLDetailsElement): void {
  const field = details.querySelector('textarea')
  const box = details.querySelector<HTMLInputElement>('[data-use-text]')
  if (!details.matches('[data-edit]') || !details.open || !field || field.closest('code-editor')) return
  // The editor looks for its field when it is connected.
  const editor = document.createElement('code-editor')
  const place = field.parentElement
  editor.append(field)
  place?.append(editor)
  editor.addEventListener('input', () => {
    if (!box || box.checked) return
    box.checked = true
    box.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

class ConflictForm extends HTMLElement {
  readonly #onFresh = () => this.#begin()

  connectedCallback(): void {
    this.addEventListener('change', () => this.#count())
    this.addEventListener('click', event => this.#all(event))
    // This event does not bubble.
    this.addEventListener('toggle', ({ target }) => target instanceof HTMLDetailsElement && openEditor(target), { capture: true })
    document.addEventListener('live:fresh', this.#onFresh)
    this.#begin()
  }

  disconnectedCallback(): void {
    document.removeEventListener('live:fresh', this.#onFresh)
  }

  /** A form in which nothing is chosen yet becomes the new one when the page changes, and that has neither counts nor editors. */
  #begin(): void {
    this.querySelector('[data-conflict-bar]')?.removeAttribute('hidden')
    for (const details of this.querySelectorAll<HTMLDetailsElement>('[data-edit]')) openEditor(details)
    this.#count()
  }

  /** Those of files whose whole text is used do not wait for a choice. */
  #count(): void {
    const groups = new Map<string, boolean>()
    for (const radio of this.querySelectorAll<HTMLInputElement>('[data-choice]')) {
      const isEdited = radio.closest('[data-conflict-file]')?.querySelector<HTMLInputElement>('[data-use-text]')?.checked === true
      groups.set(radio.name, isEdited || radio.checked || groups.get(radio.name) === true)
    }
    const decided = [...groups.values()].filter(isDecided => isDecided).length
    const shown = this.querySelector('[data-conflict-count]')
    if (shown) shown.textContent = `${decided} of ${groups.size} decided`
  }

  #all(event: Event): void {
    const side = (event.target as Element).closest<HTMLElement>('[data-all]')?.dataset.all
    if (side === undefined) return
    for (const radio of this.querySelectorAll<HTMLInputElement>(`[data-choice="${side}"]`)) radio.checked = true
    this.#count()
  }
}

/** Names the tips as they are; the form has those that it was made for. */
class ConflictTips extends HTMLElement {
  static readonly observedAttributes = ['data-source', 'data-target']

  attributeChangedCallback(): void {
    const form = document.querySelector('form:has(conflict-form)')
    if (!form || !this.isConnected) return
    const seen = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value
    const hasMoved = this.dataset.source !== seen('source_sha') || this.dataset.target !== seen('target_sha')
    const notice = document.querySelector('[data-moved]')
    if (!hasMoved) notice?.remove()
    else if (!notice) form.prepend(movedNotice())
  }
}

function movedNotice(): HTMLElement {
  const notice = document.createElement('div')
  notice.className = 'notice attention'
  notice.dataset.moved = ''
  notice.setAttribute('role', 'alert')
  notice.textContent =
    'A branch has moved, or the conflicts were resolved, since you began. Send the form to see what is new: your choices and texts are kept.'
  return notice
}

customElements.define('conflict-form', ConflictForm)
customElements.define('conflict-tips', ConflictTips)
