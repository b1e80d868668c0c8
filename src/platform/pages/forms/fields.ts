/**
 * A field of a form, from the schema of its parameter: the control, its limits, what it says. The schema is the one that the API checks, so a form
 * cannot offer what the API refuses.
 */
import type { TSchema } from 'typebox'
import { icon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import { labelOf } from './labels.ts'

/** How a form shows one parameter. All but the name follows from the schema unless it is said. */
export interface FieldSpec {
  /** Of the parameter. */
  readonly name: string
  readonly label?: string
  /** Below the control. Default: the description of the parameter, if `label` is given too. A text has code between backticks. */
  readonly hint?: string | Html
  readonly control?:
    | 'text'
    | 'textarea'
    | 'markdown'
    | 'code'
    | 'password'
    | 'checkbox'
    | 'checkboxes'
    | 'radio'
    | 'swatches'
    | 'select'
    | 'hidden'
    | 'file'
    | 'color'
  /** The choices of a `select`, `radio`, `swatches` or `checkboxes` with their labels; default: the values of the schema. */
  readonly choices?: readonly (readonly [value: string, label: string | Html, hint?: string])[]
  /** Of many boxes or radio buttons: the address that lists those whose names have the words in `?search=`, where only the first ones are listed. */
  readonly more?: string
  readonly autocomplete?: string
  readonly placeholder?: string
  /** What is wrong with a value of which the API says no more than `is invalid`. It follows the label: `is no date`. */
  readonly invalid?: string
  /** Where the focus begins. */
  readonly autofocus?: true
  /** Values that are suggested while one types, with what they stand for where they do not say it; any other may be typed too. */
  readonly suggested?: readonly (string | readonly [value: string, says: string])[]
  /** The address of a page with the same field: its suggestions for what was typed (`?search=`) are fetched by a script. */
  readonly suggestedFrom?: string
  /** Shown in place of label, control and messages, where a field is several. */
  readonly own?: (state: FieldState) => Html
  /** Required here, although the API can do without. */
  readonly required?: true
  /** For `markdown`: the path of the project or group in whose page the text stands, `/group/project/-`. */
  readonly base?: string
  /** For `code`: the name of the file, which says its language, where no field asks for it. */
  readonly path?: string
  /** For `markdown`: the place takes no files. */
  readonly withoutFiles?: true
  /** The heading that stands before it, of it and those that follow. */
  readonly under?: string
  /** Shown below it, such as what a script finds while one types. */
  readonly below?: Html
  /** Why this caller cannot change it: it is shown, and not sent. */
  readonly disabled?: string
}

/** What a field shows: a value as it was typed or as it is, and what is wrong with it. */
export interface FieldState {
  readonly value: unknown
  readonly wrong: readonly string[]
}

/** Would the API refuse an empty text here? */
export const refusesEmpty = (schema: TSchema): boolean => (inner(schema as Shape).minLength ?? 0) > 0

/** The part of JSON Schema that decides on a control. */
interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly items?: Shape
  readonly format?: string
  readonly upload?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
  readonly default?: unknown
  readonly '~optional'?: boolean
}

/** What is typed into a text field at most without a bound of the schema: beyond, a field of several lines is due. */
const ONE_LINE = 255

/** The schema without the marks around it: of a nullable value that of the value. */
const inner = (shape: Shape): Shape => shape.anyOf?.find(member => member.type !== 'null') ?? shape

const controlOf = (shape: Shape): NonNullable<FieldSpec['control']> => {
  if (shape.upload || shape.items?.upload) return 'file'
  if (shape.enum) return 'select'
  if (shape.type === 'boolean') return 'checkbox'
  if (shape.type === 'string' && shape.format === undefined && (shape.maxLength ?? 0) > 1024) return 'textarea'
  return 'text'
}

/** The value as text in a control. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)

const isOn = (value: unknown): boolean => value === true || value === 'true' || value === '1' || value === 'on'

/** The hint of a declaration, in which `code` stands between backticks. */
export const withCode = (hint: string | Html): string | Html | Html[] =>
  typeof hint === 'string' ? hint.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)) : hint

/** A field with its label, help and messages. `prefix`: of the ids of its elements, where a page has several forms. */
export function field(spec: FieldSpec, schema: TSchema, { value, wrong }: FieldState, prefix = 'field'): Html {
  const outer = schema as Shape
  const shape = inner(outer)
  const control = spec.control ?? controlOf(shape)
  const { name } = spec
  if (spec.own) return spec.own({ value, wrong })
  const id = `${prefix}-${name}`
  if (control === 'hidden') return html`<input type="hidden" name="${name}" value="${textOf(value)}">`
  const label = spec.label ?? labelOf(name)
  const hint = (spec.hint ?? outer.description ?? shape.description) || undefined
  const isRequired = spec.required === true || (outer['~optional'] !== true && outer.default === undefined && control !== 'checkbox')
  const described = [hint !== undefined && `${id}-hint`, wrong.length > 0 && `${id}-wrong`].filter(part => part !== false).join(' ')
  const common = html` id="${id}" name="${name}"${isRequired && control !== 'code' && html` required`}${wrong.length > 0 && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}${spec.autofocus && html` autofocus`}${spec.autocomplete !== undefined && html` autocomplete="${spec.autocomplete}"`}${spec.placeholder !== undefined && html` placeholder="${spec.placeholder}"`}${spec.disabled !== undefined && html` disabled`}`
  const after = html`${spec.disabled !== undefined && html`<p class="hint">${icon('lock')} ${spec.disabled}</p>`}${hint !== undefined && html`<p class="hint" id="${id}-hint">${withCode(hint)}</p>`}${wrong.length > 0 && html`<p class="wrong" id="${id}-wrong">${label} ${wrong.join(', ')}</p>`}${spec.below}`
  if (control === 'checkbox') {
    // A box that is off sends nothing; the hidden field before it says so.
    return html`<div class="field">${spec.disabled === undefined && html`<input type="hidden" name="${name}" value="false">`}<label class="choice" for="${id}"><input type="checkbox" value="true"${isOn(value ?? shape.default) && html` checked`}${common}> ${label}</label>${after}</div>`
  }
  if (control === 'checkboxes') return boxes(spec, label, after, (Array.isArray(value) ? value : textOf(value).split(',')).map(String))
  if (control === 'radio' && spec.more !== undefined) return boxes(spec, label, after, [textOf(value ?? outer.default)])
  if (control === 'radio' || control === 'swatches')
    return radios(spec, shape, { id, label, after, chosen: textOf(value ?? outer.default) })
  const face = html`<label for="${id}">${label}${!isRequired && control !== 'select' && html` <span class="muted small">(optional)</span>`}</label>`
  return html`<div class="field">${face}${faceOf(control, shape, spec, id, common, textOf(value ?? outer.default))}${after}</div>`
}

/** A link to the field leads to the one that is chosen, or to the first. */
const radios = (
  { name, choices: listed, control, disabled }: FieldSpec,
  shape: Shape,
  { id, label, after, chosen }: { id: string; label: string; after: Html; chosen: string },
): Html => {
  const choices = listed ?? choicesOf(shape)
  const at = Math.max(
    0,
    choices.findIndex(([value]) => value === chosen),
  )
  return html`<fieldset${control === 'swatches' && html` class="swatches"`}${disabled !== undefined && html` disabled`}><legend>${label}</legend>${choices.map(
    ([value, text, hint], index) =>
      html`<label class="choice"><input type="radio"${index === at && html` id="${id}"`} name="${name}" value="${value}"${value === chosen && html` checked`}> <span>${text}${hint !== undefined && html`<br><span class="muted small">${withCode(hint)}</span>`}</span></label>`,
  )}${after}</fieldset>`
}

/** Boxes that are seen in one look, and need no search. */
const MOST_WITHOUT_FILTER = 7

/** Several of a list, or one of it, which a script filters. No box sends nothing; the hidden field before them says so. */
function boxes({ name: of, choices = [], more, control }: FieldSpec, label: string, after: Html, chosen: readonly string[]): Html {
  const isOne = control === 'radio'
  const name = isOne ? of : `${of}[]`
  return html`<fieldset><legend>${label}</legend>${!isOne && html`<input type="hidden" name="${name}" value="">`}<filter-menu${more !== undefined && html` data-more="${more}" data-of="${name}"`}>${(choices.length > MOST_WITHOUT_FILTER || more !== undefined) && html`<p data-filter hidden><input class="form-control input-sm" type="search" aria-label="Find in ${label}" placeholder="Find" autocomplete="off"></p>`}<ul class="plain-list choices">${choices.map(
    ([value, text, hint]) =>
      html`<li><label class="choice"><input type="${isOne ? 'radio' : 'checkbox'}" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}> <span>${text}${hint !== undefined && html` <span class="muted small">${hint}</span>`}</span></label></li>`,
  )}</ul>${choices.length === 0 && html`<p class="small muted">There are none.</p>`}${more !== undefined && html`<p class="small muted">The first ${choices.length} are listed; <a href="${more}" data-turbo-frame="_top">find others by their names</a>.</p>`}<p class="sr-only" role="status"></p></filter-menu>${after}</fieldset>`
}

/** What a script makes of text that is selected in the editor of Markdown. */
const tools = (): readonly Html[] => [
  html`<md-header class="bar-button" title="Heading" aria-label="Heading">${icon('heading')}</md-header>`,
  html`<md-bold class="bar-button" title="Bold" aria-label="Bold">${icon('bold')}</md-bold>`,
  html`<md-italic class="bar-button" title="Italic" aria-label="Italic">${icon('italic')}</md-italic>`,
  html`<md-quote class="bar-button" title="Quote" aria-label="Quote">${icon('quote')}</md-quote>`,
  html`<md-code class="bar-button" title="Code" aria-label="Code">${icon('code')}</md-code>`,
  html`<md-link class="bar-button" title="Link" aria-label="Link">${icon('link')}</md-link>`,
  html`<md-unordered-list class="bar-button" title="List" aria-label="List">${icon('list-unordered')}</md-unordered-list>`,
  html`<md-ordered-list class="bar-button" title="Numbered list" aria-label="Numbered list">${icon('list-ordered')}</md-ordered-list>`,
  html`<md-task-list class="bar-button" title="List of tasks" aria-label="List of tasks">${icon('tasklist')}</md-task-list>`,
]

/** The bar above a field of Markdown; a script shows it. */
const editorBar = (id: string, takesFiles: boolean): Html =>
  html`<div class="editor-bar" hidden><button type="button" class="btn btn-sm" data-write aria-pressed="true">Write</button><button type="button" class="btn btn-sm" data-preview aria-pressed="false">Preview</button><markdown-toolbar for="${id}" aria-label="Format">${tools()}</markdown-toolbar>${takesFiles && html`<button type="button" class="bar-button" data-attach title="Attach files" aria-label="Attach files">${icon('paperclip')}</button><input type="file" id="${id}-files" multiple hidden aria-label="Files">`}</div>`

/** A colour as the control has it, six digits: browsers show any other as black. */
const colorText = (value: string): string =>
  /^#[0-9a-f]{3}$/i.test(value) ? `#${[...value.slice(1)].map(digit => digit + digit).join('')}` : value

const choicesOf = (shape: Shape): readonly (readonly [string, string, string?])[] =>
  (shape.enum ?? []).map(value => [String(value), labelOf(String(value))] as const)

const suggestion = (each: string | readonly [value: string, says: string]): Html =>
  typeof each === 'string' ? html`<option value="${each}"></option>` : html`<option value="${each[0]}">${each[1]}</option>`

function faceOf(control: NonNullable<FieldSpec['control']>, shape: Shape, spec: FieldSpec, id: string, common: Html, value: string): Html {
  const lengths = html`${shape.minLength !== undefined && shape.minLength > 1 && html` minlength="${shape.minLength}"`}${shape.maxLength !== undefined && html` maxlength="${shape.maxLength}"`}`
  if (control === 'textarea') return html`<textarea class="form-control"${common}${lengths} rows="6">\n${value}</textarea>`
  if (control === 'markdown')
    return html`<markdown-editor${spec.base !== undefined && html` data-base="${spec.base}"`}>${editorBar(id, spec.withoutFiles !== true)}<textarea class="form-control"${common}${lengths} rows="8" dir="auto">\n${value}</textarea><div class="editor-shown" data-shown hidden></div></markdown-editor>`
  // The line end after the tag is none of the text: without it one at the beginning of the text would be lost.
  if (control === 'code')
    return html`<code-editor><textarea class="form-control mono code-field"${common}${spec.path !== undefined && html` data-path="${spec.path}"`} rows="24" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="none" autocorrect="off">\n${value}</textarea></code-editor>`
  if (control === 'select')
    return html`<select class="form-control form-select"${common}>${(spec.choices ?? choicesOf(shape)).map(([choice, label]) => html`<option value="${choice}"${choice === value && html` selected`}>${label}</option>`)}</select>`
  if (control === 'file') return html`<input type="file"${common}${shape.items?.upload && html` multiple`}>`
  if (control === 'password') return html`<input type="password" class="form-control"${common}${lengths}>`
  if (shape.type === 'integer' || shape.type === 'number')
    return html`<input type="number" class="form-control"${common}${shape.minimum !== undefined && html` min="${shape.minimum}"`}${shape.maximum !== undefined && html` max="${shape.maximum}"`}${shape.type === 'number' && html` step="any"`} value="${value}">`
  if (control === 'color') return html`<input type="color"${common} value="${colorText(value)}">`
  // Without a zone the text is UTC, for the browser's own is not known here; the label says so.
  if (shape.format === 'date-time')
    return html`<input type="datetime-local" class="form-control"${common} value="${value.replace(' ', 'T').slice(0, 16)}">`
  if (shape.format === 'date') return html`<input type="date" class="form-control"${common} value="${value.slice(0, 10)}">`
  return html`<input type="text" class="form-control"${common}${shape.maxLength !== undefined && shape.maxLength <= ONE_LINE && lengths} value="${value}" autocapitalize="none"${spec.suggested && html` list="${id}-suggested" autocomplete="off" spellcheck="false"`}${spec.suggestedFrom !== undefined && html` data-suggested-from="${spec.suggestedFrom}"`}>${spec.suggested && html`<datalist id="${id}-suggested">${spec.suggested.map(suggestion)}</datalist>`}`
}
