/**
 * The editor of the CI file: completion and help, checks while one types, and tabs that show what is typed without a new page. Without it the same
 * buttons send the form, and a page comes back.
 */
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { CodeEditor, EDITOR_READY } from '../code_editor.ts'
import type { KeySchema } from './key_schema.ts'
import { ciSupport } from './support.ts'

/** Milliseconds without a key until the text is checked. */
const PAUSE = 600

class CiEditor extends HTMLElement {
  #leaving: AbortController | undefined
  #asking: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReady = false

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    this.addEventListener(EDITOR_READY, () => void this.#begin(), { signal })
    this.addEventListener('input', event => event.target === this.#editor && this.#checkSoon(), { signal })
    this.closest('form')?.addEventListener('submit', event => this.#sent(event), { signal, capture: true })
    if (this.#editor?.view) void this.#begin()
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    this.#leaving?.abort()
  }

  get #editor(): CodeEditor | undefined {
    const found = this.querySelector('code-editor')
    return found instanceof CodeEditor ? found : undefined
  }

  async #begin(): Promise<void> {
    if (this.#isReady) return
    this.#isReady = true
    const to = this.dataset.schema
    this.#editor?.extend(lintGutter())
    if (this.dataset.check !== undefined) void this.#check()
    const answer = to === undefined ? undefined : await fetch(to, { signal: this.#leaving?.signal ?? null }).catch(() => undefined)
    if (answer?.ok) this.#editor?.extend(ciSupport((await answer.json()) as KeySchema))
  }

  #checkSoon(): void {
    if (this.dataset.check === undefined) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#check(), PAUSE)
  }

  /** Shows what is wrong with the text: below it, and beside its lines. */
  async #check(): Promise<void> {
    const findings = this.querySelector<HTMLElement>('[data-findings]')
    const shown = await this.#ask({ tab: 'edit' })
    if (!findings || shown === undefined) return
    if (findings.innerHTML !== shown) findings.innerHTML = shown
    this.#mark([...findings.querySelectorAll<HTMLElement>('[data-finding]')])
  }

  /** What the server says of the text, as a part of a page; undefined where the text has changed meanwhile, or the page is left. */
  async #ask(more: Readonly<Record<string, string>>): Promise<string | undefined> {
    const form = this.closest('form')
    const to = this.dataset.check
    if (!form || to === undefined) return undefined
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
    for (const [name, value] of Object.entries(more)) body.set(name, value)
    const answer = await fetch(to, { method: 'POST', body, headers: { accept: 'text/html', 'x-part': '1' }, signal }).catch(() => undefined)
    if (!answer || signal.aborted) return undefined
    const text = await answer.text().catch(() => undefined)
    return answer.ok ? text : text === undefined ? undefined : refusalIn(text)
  }

  /** Puts the findings that have a line beside it. */
  #mark(found: readonly HTMLElement[]): void {
    const view = this.#editor?.view
    if (!view) return
    const { doc } = view.state
    const diagnostics = found.flatMap((one): Diagnostic[] => {
      const number = Number(one.dataset.line)
      if (!(number >= 1 && number <= doc.lines)) return []
      const line = doc.line(number)
      this.#link(one, number)
      const from = line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0)
      const message = one.querySelector('[data-message]')?.textContent ?? ''
      return [{ from, to: Math.max(from, line.to), severity: one.dataset.finding === 'error' ? 'error' : 'warning', message }]
    })
    view.dispatch(setDiagnostics(view.state, diagnostics))
  }

  /** The number of a line becomes a button that leads to it. */
  #link(one: HTMLElement, number: number): void {
    const words = one.querySelector('[data-go]')
    if (!words) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'btn-link small'
    button.textContent = words.textContent
    button.addEventListener('click', () => {
      const view = this.#editor?.view
      if (!view) return
      const { from } = view.state.doc.line(Math.min(number, view.state.doc.lines))
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
      view.focus()
    })
    words.replaceWith(button)
  }

  /** A tab is shown in place; everything else is sent. */
  #sent(event: SubmitEvent): void {
    const button = event.submitter
    if (!(button instanceof HTMLButtonElement)) return
    const isSecond = button.formAction !== '' && button.hasAttribute('formaction') && !button.hasAttribute('data-look')
    if (!button.hasAttribute('data-look') && !isSecond) return
    event.preventDefault()
    // Nothing is sent: what is typed still has to be asked about when the page is left.
    event.stopImmediatePropagation()
    void this.#show(isSecond ? 'edit' : button.value, button)
  }

  /** What Enter in a field does: it presses the first button of the form, which is hidden for this. */
  #decideEnter(tab: string): void {
    const first = this.querySelector<HTMLButtonElement>('[data-first]')
    if (!first) return
    for (const name of ['name', 'formaction', 'formnovalidate', 'data-turbo']) first.removeAttribute(name)
    first.toggleAttribute('data-look', tab === 'simulate')
    first.value = tab
  }

  async #show(tab: string, button: HTMLButtonElement): Promise<void> {
    const [edit, panel] = [this.querySelector<HTMLElement>('[data-edit]'), this.querySelector<HTMLElement>('[data-panel]')]
    if (!edit || !panel) return
    for (const one of this.querySelectorAll<HTMLButtonElement>('nav [data-look]')) {
      if (one.value === tab) one.setAttribute('aria-current', 'true')
      else one.removeAttribute('aria-current')
    }
    this.#decideEnter(tab)
    const isEdited = tab === 'edit'
    const wasShown = this.dataset.shows === tab
    edit.hidden = !isEdited
    panel.hidden = isEdited
    this.dataset.shows = tab
    if (isEdited) {
      panel.replaceChildren()
      await this.#check()
      return
    }
    // What was there is of another tab.
    if (!wasShown) panel.replaceChildren()
    panel.setAttribute('aria-busy', 'true')
    const shown = await this.#ask({ tab })
    panel.removeAttribute('aria-busy')
    if (shown === undefined || this.dataset.shows !== tab) return
    panel.innerHTML = shown
    // The button may have been part of what was replaced.
    if (!button.isConnected) panel.querySelector<HTMLElement>('[data-look]')?.focus()
  }
}

/** What a page says that refuses. */
function refusalIn(html: string): string {
  const words = new DOMParser().parseFromString(html, 'text/html').querySelector('main [role=alert]')?.textContent?.trim()
  const shown = document.createElement('div')
  shown.className = 'notice danger'
  shown.textContent = words || 'This could not be checked. Please try again.'
  return shown.outerHTML
}

customElements.define('ci-editor', CiEditor)
