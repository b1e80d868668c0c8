/** The file finder: what is typed is matched in the browser, over a list of paths that is fetched once. Without a script the form asks the server. */
import { visit } from '@hotwired/turbo'
import { bestPaths } from '../../fuzzy.ts'

/** Files that are shown. */
const MOST_SHOWN = 100

class FileFinder extends HTMLElement {
  #paths: readonly string[] | undefined

  connectedCallback(): void {
    const { paths = '', sent } = this.dataset
    if (sent !== 'all') return
    this.querySelector('form')?.addEventListener('submit', event => this.#open(event))
    this.#input?.addEventListener('input', () => this.#show())
    this.#input?.addEventListener('keydown', event => this.#key(event))
    void this.#load(paths)
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input[type=search]')
  }

  get #links(): HTMLAnchorElement[] {
    return [...this.querySelectorAll<HTMLAnchorElement>('[data-list] a')]
  }

  async #load(address: string): Promise<void> {
    const response = await fetch(address, { headers: { accept: 'application/json' } })
    if (!response.ok) return
    this.#paths = (await response.json()) as string[]
    // What was typed meanwhile.
    if (this.#input?.value !== this.#input?.defaultValue) this.#show()
  }

  #show(): void {
    const list = this.querySelector('[data-list]')
    if (!this.#paths || !list) return
    const found = bestPaths(this.#paths, this.#input?.value ?? '', MOST_SHOWN)
    list.replaceChildren(...found.map(path => this.#item(path)))
    this.querySelector('[data-none]')?.toggleAttribute('hidden', found.length > 0)
    const status = this.querySelector('[role=status]')
    if (status) status.textContent = found.length === 1 ? '1 file' : `${found.length} files`
  }

  #item(path: string): HTMLLIElement {
    const link = document.createElement('a')
    link.href = `${this.dataset.base}/${path.split('/').map(encodeURIComponent).join('/')}`
    link.textContent = path
    const main = document.createElement('div')
    main.className = 'main title'
    main.append(link)
    const item = document.createElement('li')
    item.append(main)
    return item
  }

  /** Enter opens the file that fits best. */
  #open(event: Event): void {
    const [first] = this.#links
    if (!this.#paths || !first) return
    event.preventDefault()
    visit(first.href)
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown') return
    this.#links[0]?.focus()
    event.preventDefault()
  }
}

customElements.define('file-finder', FileFinder)
