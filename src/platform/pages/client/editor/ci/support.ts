/** Completion and help for CI files in the editor, from their JSON schema. */
import { autocompletion, type Completion, type CompletionContext, type CompletionResult, completionKeymap } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { type KeySchema, type Proposal, proposalsAt, schemaAt } from './key_schema.ts'
import { yamlPlace } from './yaml_place.ts'

const theme = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--borderColor-default)',
    borderRadius: '6px',
    color: 'var(--fgColor-default)',
    backgroundColor: 'var(--overlay-bgColor, var(--bgColor-default))',
    boxShadow: 'var(--shadow-floating-small)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--fgColor-onEmphasis)', background: 'var(--bgColor-accent-emphasis)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-tooltip.cm-completionInfo, .cm-key-help': { maxWidth: '24rem', padding: '0.5rem', lineHeight: '1.4' },
  '.cm-key-help code, .cm-completionInfo code': {
    padding: '0 0.25rem',
    borderRadius: '4px',
    backgroundColor: 'var(--bgColor-muted)',
    fontFamily: 'var(--fontStack-monospace, ui-monospace, monospace)',
    fontSize: '0.9em',
  },
  '.cm-diagnostic': { padding: '0.25rem 0.5rem', fontFamily: 'inherit' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--borderColor-danger-emphasis)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--borderColor-attention-emphasis)' },
  '.cm-lint-marker': { width: '0.9em', height: '0.9em' },
})

/** A text in which code stands between backticks. */
function withCode(text: string): Node[] {
  return text.split('`').map((part, at) => {
    if (at % 2 === 0) return document.createTextNode(part)
    const code = document.createElement('code')
    code.textContent = part
    return code
  })
}

/** What a key is, with its values and an example. */
function helpOn(name: string, { description, enum: values, items, examples }: KeySchema): HTMLElement {
  const help = document.createElement('div')
  help.className = 'cm-key-help'
  const line = (...parts: readonly (Node | string)[]) => {
    const paragraph = document.createElement('div')
    paragraph.append(...parts)
    help.append(paragraph)
  }
  const title = document.createElement('strong')
  title.textContent = name
  line(title)
  if (description !== undefined) line(...withCode(description))
  const listed = (values ?? items?.enum)?.filter(value => value !== null)
  if (listed) line(...withCode(`One of ${listed.map(value => `\`${String(value)}\``).join(', ')}.`))
  const [example] = examples ?? []
  if (example !== undefined && example !== null) line(...withCode(`Example: \`${name}: ${written(example)}\``))
  return help
}

/** A value as YAML on one line. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}: ${written(inner)}`)
    .join(', ')}}`
}

const completionOf = ({ label, description, kind, text, isLast }: Proposal): Completion => ({
  label,
  apply: text,
  type: kind === 'key' ? 'property' : 'enum',
  ...(isLast === true && { boost: -1 }),
  ...(description !== undefined && {
    info: () => {
      const info = document.createElement('div')
      info.append(...withCode(description))
      return info
    },
  }),
})

const completing =
  (schema: KeySchema) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = state.doc.toString()
    const place = yamlPlace(text, pos)
    // What begins a value is a letter; keys are proposed where a line has begun, or on request.
    if (!explicit && place.kind === 'key' && place.written === '') return null
    const word = /[\w.-]*$/.exec(place.written)?.[0] ?? ''
    if (place.kind === 'key' && word !== place.written) return null
    const options = proposalsAt(schema, text, place).map(completionOf)
    return options.length === 0 ? null : { from: pos - word.length, options, validFor: /^[\w.-]*$/ }
  }

const hovering = (schema: KeySchema): Extension =>
  hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position)
    const [, before = '', name = ''] = /^([ -]*)([\w.-]+)\s*:(?=\s|$)/.exec(line.text) ?? []
    const [from, to] = [line.from + before.length, line.from + before.length + name.length]
    if (name === '' || position < from || position > to) return null
    const { path } = yamlPlace(view.state.doc.toString(), from)
    const found = schemaAt(schema, [...path, name])
    return found?.description === undefined ? null : { pos: from, end: to, above: true, create: () => ({ dom: helpOn(name, found) }) }
  })

/** Completion (while one types, and by Ctrl+Space) and help on keys. */
export const ciSupport = (schema: KeySchema): Extension => [
  autocompletion({ override: [completing(schema)], icons: false, activateOnTypingDelay: 150 }),
  keymap.of(completionKeymap),
  hovering(schema),
  theme,
]
