/**
 * Boxes of task lists are ticked in the text that shows them. Each sends its own line; what is refused (the text has changed meanwhile) is said, and
 * the box is as it was. Without a script the form that changes the text does it.
 */
import { announce } from '../live/announce.ts'
import { send } from '../sorting/sending.ts'

const BOX = 'input.task-list-item-checkbox[data-task]'

class TaskList extends HTMLElement {
  #observer: MutationObserver | undefined

  connectedCallback(): void {
    this.#enable()
    // The text is morphed when others change it: new boxes are to be ticked too.
    this.#observer = new MutationObserver(() => this.#enable())
    this.#observer.observe(this, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    this.addEventListener('change', this.#onChange)
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect()
    this.removeEventListener('change', this.#onChange)
  }

  #enable(): void {
    for (const box of this.querySelectorAll<HTMLInputElement>(BOX)) box.disabled = false
  }

  readonly #onChange = (event: Event): void => {
    if (event.target instanceof HTMLInputElement && event.target.matches(BOX)) void this.#send(event.target)
  }

  async #send(box: HTMLInputElement): Promise<void> {
    const done = box.checked
    const said = await send(this.dataset.action ?? '', new URLSearchParams({ task: box.dataset.task ?? '', done: String(done) }))
    this.querySelector(':scope > .notice')?.remove()
    if (said === undefined) return announce(done ? 'The task is done' : 'The task is open again')
    box.checked = !done
    const notice = document.createElement('div')
    notice.className = 'notice danger'
    notice.textContent = said
    this.prepend(notice)
    announce(said)
  }
}

customElements.define('task-list', TaskList)
