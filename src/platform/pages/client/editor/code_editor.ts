/**
 * The editor of code, around a `textarea` that works without it and stays what the form sends. It stands in a shadow root: there its styles are
 * style sheets that a script made, which the policy of the pages allows, and not elements. Tab moves the focus on, as in every form; Ctrl+] and
 * Ctrl+[ indent.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, StateEffect } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { languageOf } from './languages.ts'

const theme = EditorView.theme({
  '&': {
    height: '32rem',
    border: '1px solid var(--borderColor-default)',
    borderRadius: '6px',
    overflow: 'hidden',
    color: 'var(--fgColor-default)',
    backgroundColor: 'var(--bgColor-default)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--fgColor-accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--fontStack-monospace, ui-monospace, monospace)', lineHeight: '1.25rem' },
  '.cm-content': { caretColor: 'var(--fgColor-default)' },
  '.cm-gutters': { color: 'var(--fgColor-muted)', backgroundColor: 'var(--bgColor-muted)', borderColor: 'var(--borderColor-muted)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bgColor-muted)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--bgColor-attention-muted)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--bgColor-attention-muted)' },
  '.cm-panels': { color: 'var(--fgColor-default)', backgroundColor: 'var(--bgColor-muted)' },
})

/** The colours of the pages' own highlighter. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.quote], color: 'var(--fgColor-muted)' },
  { tag: [tags.keyword, tags.meta, tags.operatorKeyword], color: 'var(--color-prettylights-syntax-keyword, var(--fgColor-danger))' },
  { tag: [tags.string, tags.regexp], color: 'var(--color-prettylights-syntax-string, var(--fgColor-accent))' },
  {
    tag: [tags.function(tags.variableName), tags.heading, tags.tagName],
    color: 'var(--color-prettylights-syntax-entity, var(--fgColor-done))',
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.propertyName, tags.attributeName],
    color: 'var(--color-prettylights-syntax-constant, var(--fgColor-accent))',
  },
  { tag: [tags.typeName, tags.className], color: 'var(--color-prettylights-syntax-variable, var(--fgColor-severe))' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.strong, tags.heading], fontWeight: '600' },
])

/** Browsers give what they put in place of selected lines an inline style, which the policy of the pages refuses: the editor does it itself. */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== 'insertText' || event.data === null || view.composing || view.state.selection.main.empty) return false
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
  event.preventDefault()
  return true
}

/** Sent by the element once its editor is there; bubbles. */
export const EDITOR_READY = 'code-editor-ready'

export class CodeEditor extends HTMLElement {
  readonly #language = new Compartment()
  #view: EditorView | undefined
  /** Ends the listeners outside of the element. */
  #leaving: AbortController | undefined
  #isChanged = false

  connectedCallback(): void {
    const field = this.querySelector('textarea')
    if (!field || this.shadowRoot) return
    const hadFocus = document.activeElement === field || field.autofocus
    const root = this.attachShadow({ mode: 'open' })
    const label = document.querySelector<HTMLElement>(`label[for="${field.id}"]`)
    const view = new EditorView({ root, parent: root, state: this.#stateOf(field, label?.textContent?.trim() ?? 'Code') })
    this.#view = view
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    label?.addEventListener('click', () => view.focus(), { signal })
    field.form?.addEventListener('formdata', ({ formData }) => formData.set(field.name, view.state.doc.toString()), { signal })
    field.form?.addEventListener('submit', () => this.#settle(), { signal })
    // What is typed is in the page that the browser goes back to.
    document.addEventListener('turbo:before-cache', () => this.#keep(field), { signal })
    document.addEventListener('turbo:before-visit', event => this.#ask(event), { signal })
    addEventListener('beforeunload', event => this.#isChanged && event.preventDefault(), { signal })
    const path = field.form?.querySelector<HTMLInputElement>('[name=file_path]')
    path?.addEventListener('change', () => void this.#highlight(path.value), { signal })
    // Outside of the shadow root a key comes from this element, which is no field: it would be one of the page's own.
    this.addEventListener('keydown', event => event.ctrlKey || event.metaKey || event.stopPropagation(), { signal })
    void this.#highlight(path?.value ?? field.dataset.path ?? '')
    if (hadFocus) view.focus()
    this.dispatchEvent(new Event(EDITOR_READY, { bubbles: true }))
  }

  /** The editor; undefined before it is there. */
  get view(): EditorView | undefined {
    return this.#view
  }

  /** Adds to what the editor does. */
  extend(extension: Extension): void {
    this.#view?.dispatch({ effects: StateEffect.appendConfig.of(extension) })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    this.#view?.destroy()
  }

  #stateOf(field: HTMLTextAreaElement, label: string): EditorState {
    const wrong: Record<string, string> = field.getAttribute('aria-invalid') === 'true' ? { 'aria-invalid': 'true' } : {}
    return EditorState.create({
      doc: field.value,
      extensions: [
        EditorState.tabSize.of(Number(document.body.dataset.tabWidth ?? 4)),
        lineNumbers(),
        history(),
        highlightSpecialChars(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        bracketMatching(),
        indentOnInput(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', ...wrong }),
        EditorView.updateListener.of(({ docChanged }) => {
          this.#isChanged ||= docChanged
          if (docChanged) this.dispatchEvent(new Event('input', { bubbles: true }))
        }),
        EditorView.domEventHandlers({ beforeinput: replaceSelected }),
        syntaxHighlighting(colours),
        theme,
        this.#language.of([]),
      ],
    })
  }

  async #highlight(path: string): Promise<void> {
    const language = await languageOf(path)
    this.#view?.dispatch({ effects: this.#language.reconfigure(language ?? []) })
  }

  #keep(field: HTMLTextAreaElement): void {
    if (this.#view) field.defaultValue = this.#view.state.doc.toString()
  }

  /** The form is sent: nothing is lost. */
  #settle(): void {
    this.#isChanged = false
  }

  #ask(event: Event): void {
    if (this.#isChanged && !confirm('Leave the page? What you typed is not committed.')) event.preventDefault()
  }
}

customElements.define('code-editor', CodeEditor)
