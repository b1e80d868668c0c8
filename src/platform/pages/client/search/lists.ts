/** Lists of items: choosing by `x`, how many are chosen, and completion in the filter bar. */

import { LatestAnswer } from '../live/latest_answer.ts'
import './saved_filters.ts'

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('[data-choose]')]

/** Says how many are chosen, and shows what can be done with them. */
function count(): void {
  const chosen = boxes().filter(box => box.checked).length
  const bar = document.querySelector<HTMLDetailsElement>('.bulk-bar')
  const words = bar?.querySelector<HTMLElement>('[data-bulk-count]')
  if (!bar || !words) return
  words.dataset.none ??= words.textContent ?? ''
  words.textContent = chosen === 0 ? words.dataset.none : `${words.dataset.bulkCount} ${chosen} chosen`
  bar.classList.toggle('chosen', chosen > 0)
  if (chosen > 0) bar.open = true
}

document.addEventListener('change', event => {
  if ((event.target as Element).matches('[data-choose]')) count()
})

/** Enter in a list whose form says so does with the chosen entries what its first button says; where none is chosen it opens the entry. */
function pressBar(event: KeyboardEvent, target: HTMLElement): void {
  const form = target.closest('.list .title')?.closest('form[data-enter-changes]')
  if (!form || !boxes().some(box => box.checked)) return
  event.preventDefault()
  form.querySelector('button')?.click()
}

document.addEventListener('keydown', event => {
  const target = event.target as HTMLElement
  if (event.key === 'Enter') return pressBar(event, target)
  if (event.key !== 'x' || event.metaKey || event.ctrlKey || event.altKey || target.matches('input:not([type=checkbox]), textarea, select'))
    return
  const box = target.closest('li')?.querySelector<HTMLInputElement>('[data-choose]')
  if (!box) return
  box.checked = !box.checked
  count()
  event.preventDefault()
})

interface Key {
  readonly key: string
  readonly says: string
  readonly values?: readonly string[]
}

/** What the server completes for a key of the bar. */
const kinds: Readonly<Record<string, string>> = {
  label: 'label',
  author: 'user',
  assignee: 'user',
  milestone: 'milestone',
  iteration: 'iteration',
  epic: 'epic_id',
  reaction: 'emoji',
  ref: 'ref',
  username: 'user',
}

/** The word of the bar that the cursor is in: `-label:bu`. */
const atCursor = /(-?)(?:([a-z-]+):)?("[^"]*|(?<=:)'[^']*|[^\s"]*)$/

class FilterBar extends HTMLElement {
  #input: HTMLInputElement | null = null
  #list: HTMLUListElement | undefined
  readonly #answer = new LatestAnswer()

  connectedCallback(): void {
    this.#input = this.querySelector('input')
    const input = this.#input
    if (!input || this.#list) return
    const list = document.createElement('ul')
    list.className = 'completions'
    list.id = 'filter-completions'
    list.setAttribute('role', 'listbox')
    list.setAttribute('aria-label', 'Completions')
    list.hidden = true
    this.append(list)
    this.#list = list
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-controls', list.id],
      ['aria-expanded', 'false'],
      ['aria-autocomplete', 'list'],
    ] as const)
      input.setAttribute(name, value)
    input.addEventListener('input', () => void this.#complete())
    input.addEventListener('keydown', event => this.#key(event))
    input.addEventListener('blur', () => window.setTimeout(() => this.#show([]), 150))
    list.addEventListener('mousedown', event => {
      event.preventDefault()
      this.#take((event.target as Element).closest<HTMLElement>('[role=option]'))
    })
  }

  get #keys(): readonly Key[] {
    return JSON.parse(this.dataset.keys ?? '[]') as Key[]
  }

  /** The options for the word at the cursor: keys, the few values of a key, or what the server finds. */
  async #complete(): Promise<void> {
    this.#answer.drop()
    const input = this.#input as HTMLInputElement
    const [, , key, typed = ''] = atCursor.exec(input.value.slice(0, input.selectionStart ?? 0)) ?? []
    if (key === undefined) {
      const found = typed === '' ? [] : this.#keys.filter(({ key }) => key.startsWith(typed))
      return this.#show(found.map(({ key, says }) => optionOf(`${key}:`, key, says)))
    }
    const known = this.#keys.find(other => other.key === key)
    const values = known?.values?.filter(value => value.startsWith(typed))
    if (values) return this.#show(values.map(value => optionOf(value, value)))
    const kind = kinds[key]
    if (kind === undefined || this.dataset.completions === undefined) return this.#show([])
    const query = new URLSearchParams({ kind, search: typed.replace(/^["']/, '') })
    const found = await this.#answer.ask(`${this.dataset.completions}?${query}`)
    if (found === undefined) return
    const options = new DOMParser().parseFromString(`<ul>${found}</ul>`, 'text/html').querySelectorAll<HTMLElement>('[role=option]')
    for (const option of options) option.dataset.value = (option.dataset.value ?? '').replace(/^[@~%]|^:(.*):$/, '$1')
    this.#show([...options])
  }

  /** Shows these options. One that was chosen by the arrows stays chosen if it is still among them: an answer may come between an arrow and Enter. */
  #show(options: readonly HTMLElement[]): void {
    const [input, list] = [this.#input as HTMLInputElement, this.#list as HTMLUListElement]
    const chosen = list.querySelector<HTMLElement>('[aria-selected=true]')?.dataset.value
    list.replaceChildren(...options)
    for (const [index, option] of options.entries()) option.id = `filter-completion-${index}`
    list.hidden = options.length === 0
    input.setAttribute('aria-expanded', String(options.length > 0))
    input.removeAttribute('aria-activedescendant')
    const still = options.findIndex(({ dataset }) => chosen !== undefined && dataset.value === chosen)
    if (still >= 0) this.#select(options, still)
  }

  #key(event: KeyboardEvent): void {
    const list = this.#list as HTMLUListElement
    if (list.hidden) return
    const options = [...list.children] as HTMLElement[]
    const here = options.findIndex(option => option.ariaSelected === 'true')
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      this.#select(options, (here + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length)
    else if ((event.key === 'Enter' && here >= 0) || event.key === 'Tab') this.#take(options[Math.max(0, here)] ?? null)
    else if (event.key === 'Escape') this.#show([])
    else return
    event.preventDefault()
  }

  #select(options: readonly HTMLElement[], index: number): void {
    for (const [other, option] of options.entries()) option.ariaSelected = String(other === index)
    this.#input?.setAttribute('aria-activedescendant', options[index]?.id ?? '')
  }

  /** Puts an option in place of the word at the cursor. */
  #take(option: HTMLElement | null): void {
    const input = this.#input as HTMLInputElement
    const value = option?.dataset.value
    if (value === undefined) return
    const at = input.selectionStart ?? input.value.length
    const before = input.value.slice(0, at).replace(atCursor, (_whole, minus: string, key: string | undefined) => {
      return key === undefined ? `${minus}${value}` : `${minus}${key}:${quoted(value)} `
    })
    input.value = before + input.value.slice(at)
    input.setSelectionRange(before.length, before.length)
    void this.#complete()
  }
}

/** A value as the bar reads it (`items/filter_text.ts`). The completions of texts come between double quotes where they have spaces. */
function quoted(value: string): string {
  const plain = /^"(.*)"$/.exec(value)?.[1] ?? value
  if (plain.includes('"')) return `'${plain}'`
  return /[\s']/.test(plain) ? `"${plain}"` : plain
}

function optionOf(value: string, label: string, says = ''): HTMLElement {
  const option = document.createElement('li')
  option.setAttribute('role', 'option')
  option.dataset.value = value
  const strong = document.createElement('span')
  strong.className = 'strong'
  strong.textContent = label
  const muted = document.createElement('span')
  muted.className = 'muted small'
  muted.textContent = says
  option.append(strong, ' ', muted)
  return option
}

customElements.define('filter-bar', FilterBar)
