/**
 * The editor of Markdown, around a `textarea` that works without it: a toolbar, a preview, completion of names, files that are dropped or pasted,
 * and a draft in the browser's storage until the text is sent. Ctrl+Enter sends the form.
 */
import '@github/file-attachment-element'
import '@github/markdown-toolbar-element'
import '@github/text-expander-element'
import type { TextExpanderChangeEvent } from '@github/text-expander-element/dist/text-expander-element.js'
import { announce } from '../live/announce.ts'
import { LatestAnswer } from '../live/latest_answer.ts'
import { forgetDraft, keepDraft } from './drafts.ts'
import './similar_items.ts'
import './suggest_change.ts'
import './templates.ts'

/** What each sign completes. */
const kinds: Readonly<Record<string, string>> = {
  '@': 'user',
  '~': 'label',
  '%': 'milestone',
  '#': 'issue',
  '!': 'merge_request',
  '&': 'epic',
  ':': 'emoji',
  '/': 'command',
}

/** The token that writes by a script carry. */
const token = (): string => document.querySelector('meta[name=csrf-token]')?.getAttribute('content') ?? ''

const textOf = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''

class MarkdownEditor extends HTMLElement {
  #field: HTMLTextAreaElement | null = null
  #leaving: AbortController | undefined
  readonly #completions = new LatestAnswer()

  connectedCallback(): void {
    const field = this.querySelector('textarea')
    if (!field || this.#leaving) return
    this.#field = field
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    this.#surround(field)
    keepDraft(field, signal)
    this.querySelector('.editor-bar')?.removeAttribute('hidden')
    this.addEventListener('click', event => this.#click(event), { signal })
    field.addEventListener('keydown', event => this.#key(event), { signal })
    // These do not bubble.
    const inside = { capture: true, signal }
    this.addEventListener('text-expander-change', event => this.#complete(event as TextExpanderChangeEvent), inside)
    this.addEventListener('text-expander-value', event => this.#take(event as CustomEvent), inside)
    this.addEventListener('file-attachment-accepted', event => void this.#attach(event as CustomEvent), { signal })
    field.form?.addEventListener('turbo:submit-end', event => this.#sent(event as CustomEvent), { signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    this.#leaving = undefined
  }

  /** The elements that listen to a field stand around it. */
  #surround(field: HTMLTextAreaElement): void {
    if (field.closest('text-expander')) return
    const hadFocus = document.activeElement === field
    const expander = document.createElement('text-expander')
    expander.setAttribute('keys', Object.keys(kinds).join(' '))
    // A quick action is completed to the end of its argument.
    expander.setAttribute('multiword', '/')
    const chooser = this.querySelector<HTMLInputElement>('.editor-bar input[type=file]')
    // Without a chooser the place takes no files.
    const around = chooser ? document.createElement('file-attachment') : document.createElement('div')
    field.replaceWith(around)
    // In this order: the expander looks for its field when it is put into the page.
    expander.append(field)
    around.append(expander)
    if (chooser) around.append(chooser)
    if (hadFocus || field.autofocus) field.focus()
  }

  #click(event: Event): void {
    const target = event.target as Element
    if (target.closest('[data-write]')) this.#show(false)
    else if (target.closest('[data-preview]')) this.#show(true)
    else if (target.closest('[data-attach]')) this.querySelector<HTMLInputElement>('input[type=file]')?.click()
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    this.#field?.form?.requestSubmit()
  }

  /** Shows the text as it will look, or the field again. */
  #show(isPreview: boolean): void {
    const shown = this.querySelector<HTMLElement>('[data-shown]')
    const field = this.#field
    if (!shown || !field) return
    for (const [name, isOn] of [
      ['write', !isPreview],
      ['preview', isPreview],
    ] as const)
      this.querySelector(`[data-${name}]`)?.setAttribute('aria-pressed', String(isOn))
    const around = field.closest<HTMLElement>('text-expander')?.parentElement ?? field
    around.hidden = isPreview
    shown.hidden = !isPreview
    if (isPreview) void this.#preview(shown, field)
    else field.focus()
  }

  async #preview(shown: HTMLElement, field: HTMLTextAreaElement): Promise<void> {
    shown.textContent = 'Loading'
    const response = await fetch(`${this.dataset.base}/preview`, {
      method: 'POST',
      headers: { 'x-csrf-token': token() },
      body: new URLSearchParams({ text: field.value }),
    })
    // What the server rendered and sanitised for this person.
    if (response.ok) shown.innerHTML = await response.text()
    else shown.textContent = 'The preview cannot be shown now.'
  }

  #complete({ detail }: TextExpanderChangeEvent): void {
    const field = this.#field
    if (!detail || !field || this.dataset.base === undefined) return
    const { key, text } = detail
    // Quick actions begin a line; a colon needs two letters, for it ends many words.
    const before = field.value.slice(0, field.selectionStart - text.length - key.length)
    const isMeant = key === '/' ? /(^|\n)$/.test(before) && /^\w*( |$)/.test(text) : key !== ':' || text.length >= 2
    if (!isMeant) this.#completions.drop()
    const options = isMeant ? this.#options(kinds[key] as string, text) : { matched: false }
    detail.provide(
      Promise.resolve(options).then(found => {
        // The expander shows every answer, even one to an older question, which may be about another sign.
        // An answer that comes late is never given.
        return found ?? new Promise<never>(() => {})
      }),
    )
  }

  async #options(kind: string, search: string) {
    const options = await this.#completions.ask(`${this.dataset.base}/completions?${new URLSearchParams({ kind, search })}`, '')
    if (options === undefined) return undefined
    const fragment = document.createElement('ul')
    fragment.className = 'completions'
    fragment.setAttribute('role', 'listbox')
    fragment.innerHTML = options
    return { matched: options !== '', fragment }
  }

  #take({ detail }: CustomEvent<{ key: string; item: HTMLElement; value: string | null; continue: boolean }>): void {
    detail.value = detail.item.dataset.value ?? ''
    if (!detail.value.endsWith(' ')) return
    // A quick action whose argument is completed next.
    detail.continue = true
    queueMicrotask(() => this.#field?.dispatchEvent(new Event('input', { bubbles: true })))
  }

  /** Uploads files one after the other; their Markdown stands where the cursor is. */
  async #attach({ detail }: CustomEvent<{ attachments: readonly { file: File }[] }>): Promise<void> {
    const field = this.#field
    if (!field) return
    for (const { file } of detail.attachments) {
      const placeholder = `![Uploading ${file.name}…]()`
      insert(field, placeholder)
      const body = new FormData()
      body.set('file', file)
      const response = await fetch(`${this.dataset.base}/attachments`, { method: 'POST', headers: { 'x-csrf-token': token() }, body })
      const markdown = response.ok ? textOf(await response.text()) : ''
      field.value = field.value.replace(placeholder, () => markdown)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      announce(response.ok ? `${file.name} was uploaded` : `${file.name} could not be uploaded`)
    }
  }

  /** What was sent needs no draft, and the field is free for the next text. An ended session leads to the sign-in page: nothing was sent. */
  #sent({ detail }: CustomEvent<{ success: boolean; fetchResponse?: { readonly location: URL } }>): void {
    const field = this.#field
    if (!detail.success || !field || detail.fetchResponse?.location.pathname === '/users/sign_in') return
    forgetDraft(field)
    field.value = field.defaultValue
  }
}

/** Puts a text where the cursor is, on a line of its own. */
function insert(field: HTMLTextAreaElement, text: string): void {
  const { value, selectionStart: at } = field
  const before = at === 0 || value[at - 1] === '\n' ? '' : '\n'
  field.setRangeText(`${before}${text}\n`, at, field.selectionEnd, 'end')
}

customElements.define('markdown-editor', MarkdownEditor)
