/**
 * The palette (Mod+K): one field that reaches pages, projects, groups, people and issues. Answers come from `/-/palette`, as options that the server
 * rendered for this person.
 */

import { visit } from '@hotwired/turbo'
import { LatestAnswer } from '../live/latest_answer.ts'
import { chooseTheme } from '../theme.ts'

const DELAY_MS = 80

class CommandPalette extends HTMLElement {
  #dialog: HTMLDialogElement | null = null
  #timer = 0
  readonly #answer = new LatestAnswer()
  /** The options are those of an earlier text. */
  #isStale = false
  /** Enter was pressed meanwhile: the first of the new options is meant. */
  #choosesFirst = false
  /** Where the option leads that was chosen by the arrows since the last key was typed. */
  #moved: string | undefined

  connectedCallback(): void {
    this.#dialog = this.querySelector('dialog')
    this.#input?.addEventListener('input', () => this.#ask())
    this.#input?.addEventListener('keydown', event => this.#key(event))
    this.#list?.addEventListener('click', event => this.#choose((event.target as Element).closest('[role=option]')))
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  get #list(): HTMLElement | null {
    return this.querySelector('[role=listbox]')
  }

  open(): void {
    if (this.#dialog?.open) return
    this.#dialog?.showModal()
    this.#input?.select()
    void this.#fill()
  }

  #ask(): void {
    this.#isStale = true
    this.#moved = undefined
    // What was asked for an earlier text must not pass for an answer to this one.
    this.#answer.drop()
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#fill(), DELAY_MS)
  }

  /** Fetches the options of what is typed. */
  async #fill(): Promise<void> {
    const query = new URLSearchParams({ search: this.#input?.value ?? '', from: location.pathname })
    const found = await this.#answer.ask(`/-/palette?${query}`)
    if (found === undefined || !this.#list) return
    this.#list.innerHTML = found
    const options = this.#options
    this.#select(options.find(({ dataset }) => this.#moved !== undefined && dataset.href === this.#moved) ?? options[0])
    this.#isStale = false
    if (this.#choosesFirst) this.#choose(options[0])
  }

  get #options(): HTMLElement[] {
    return [...(this.#list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  }

  get #selected(): HTMLElement | undefined {
    return this.#options.find(option => option.ariaSelected === 'true')
  }

  #select(option: HTMLElement | undefined): void {
    for (const other of this.#options) other.ariaSelected = String(other === option)
    if (!option) return
    this.#input?.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  #move(option: HTMLElement | undefined): void {
    this.#moved = option?.dataset.href
    this.#select(option)
  }

  #key(event: KeyboardEvent): void {
    const options = this.#options
    const here = this.#selected ? options.indexOf(this.#selected) : -1
    if (event.key === 'ArrowDown') this.#move(options[(here + 1) % options.length])
    else if (event.key === 'ArrowUp') this.#move(options[(here - 1 + options.length) % options.length])
    else if (event.key === 'Enter' && this.#isStale && this.#moved === undefined) this.#choosesFirst = true
    else if (event.key === 'Enter') this.#choose(this.#selected)
    else return
    event.preventDefault()
  }

  #choose(option: Element | null | undefined): void {
    const { href, theme } = (option as HTMLElement | null | undefined)?.dataset ?? {}
    if (href === undefined) return
    this.#choosesFirst = false
    this.#dialog?.close()
    if (theme !== undefined) {
      chooseTheme(theme)
      return
    }
    // The API's description has scripts of its own.
    if (href.startsWith('/-/docs')) location.assign(href)
    else visit(href)
  }
}

customElements.define('command-palette', CommandPalette)

const palette = () => document.querySelector<CommandPalette>('command-palette')

document.addEventListener('keydown', event => {
  if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  palette()?.open()
})

document.addEventListener('click', event => {
  if ((event.target as Element).closest('[data-open-palette]')) palette()?.open()
})
