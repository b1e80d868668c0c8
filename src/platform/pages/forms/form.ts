/**
 * A form is an endpoint's declaration, shown: it has its parameters, and what is sent runs the declaration itself, by the same checks and rights. A
 * refusal shows the form again with what was typed, each message at its field.
 */

import type { TProperties } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { type ByteAnswer, bytes, type Endpoint } from '../../kernel/declaration/endpoint.ts'
import type { Scope } from '../../kernel/declaration/scope.ts'
import { takesFiles } from '../../kernel/declaration/types.ts'
import { type Failures, InvalidAsHash, type Refusal, RefusedAt } from '../../kernel/errors.ts'
import type { Cost } from '../../kernel/request/cost.ts'
import { Repeated, type Wire } from '../../kernel/request/wire.ts'
import { icon } from '../components/icon.ts'
import { HTML, pages } from '../dialect.ts'
import { done, type Page, page } from '../frame/document.ts'
import { type Html, html } from '../html.ts'
import { csrfField, guarded, pageEndpoint } from './declare.ts'
import { type FieldSpec, field, refusesEmpty } from './fields.ts'

/** Values by the names of their parameters. */
export type Values = Readonly<Record<string, unknown>>

/** What a form needs beyond the declaration that it sends to. `S`: the subjects of its scope. */
export interface FormDeclaration<S extends object> {
  /** What showing the form costs; default: by the method. */
  readonly cost?: Cost
  /** The address of the page; the form is sent to the same one. */
  readonly path: `/${string}`
  /** One line, in the imperative. */
  readonly summary: string
  readonly scope: Scope<S, TProperties>
  /** The declaration that the form sends to. Its scope gives the same subjects as the form's. */
  readonly of: Endpoint
  /** The parameters that it shows, in this order. `sent`: what was refused, where the form is shown again. */
  readonly fields: (ctx: Context & S, sent?: Values) => readonly FieldSpec[] | Promise<readonly FieldSpec[]>
  /** The parameters that it takes, where these are some of those of the declaration. Default: all. */
  readonly only?: readonly string[]
  /** The values as they are. Default: none. */
  readonly values?: (ctx: Context & S) => Values | Promise<Values>
  /** An empty text is left out (default for POST) or sent, as what clears the value. */
  readonly empty?: 'left_out' | 'sent'
  /** Where it leads; `result` is what the declaration answered, `params` what was sent. */
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's own affair
  readonly next: (ctx: Context & S & { readonly params: Values }, result: any) => string | Promise<string>
  /** What the next page says. */
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's own affair
  readonly notice: string | ((result: any) => string)
  /** Shows what is to be seen this once (a secret), in place of leading on. */
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's own affair
  readonly answered?: (ctx: Context & S, result: any) => ByteAnswer | Promise<ByteAnswer>
  /** The words on the button. */
  readonly button: string
  /** How the button looks. Default: as what one came for. */
  readonly look?: 'danger'
  /**
   * Where its page leads those who do not send it. Not shown in the place of a frame, which its page opens and closes. `stays`: its page is one that people
   * come to for itself (settings, a list, a sign-in), so there is nothing to go back from.
   */
  readonly cancel: ((ctx: Context & S) => string | Promise<string>) | 'stays'
  /** Is the way back of `cancel` shown in the place of a frame too? For a form that takes the place of what it changes. */
  readonly cancelsWithin?: boolean
  /** Where it is sent. Default: the address of its page, without the query. */
  readonly action?: (ctx: Context & S) => string
  /** The page around it. */
  readonly frame: (ctx: Context & S) => Omit<Page, 'body' | 'status'> | Promise<Omit<Page, 'body' | 'status'>>
  /** Shown before and after the fields. */
  readonly before?: (ctx: Context & S, sent?: Values) => Html | undefined | Promise<Html | undefined>
  readonly after?: (ctx: Context & S, sent?: Values) => Html | Promise<Html>
  /** Asks for what people know in place of what they do not (a name, not an id), and turns it into the parameters of the declaration. */
  readonly instead?: {
    /** Parameters of the declaration that are not asked for. */
    readonly of: readonly string[]
    /** What is asked for. */
    readonly params: TProperties
    /** The parameters of the declaration; may refuse, at the fields of `params`. */
    adapt(ctx: Context & S, params: Values): Promise<Record<string, unknown>>
  }
  /** Values that the form sets itself: those of the query string are shown too, so that links can fill in a form. */
  readonly fixed?: (ctx: Context & S) => Readonly<Record<string, string>>
  /** A second button, which sends a value besides. */
  readonly second?: (ctx: Context & S) => SecondButton | undefined
  /** Asks for a confirmation first, where there was none lately (confirm.ts). */
  readonly confirms?: true
  /** The page that it stands on among other forms: shown again around a refusal. Default: a page of its own. */
  readonly around?: (ctx: Context & S, form: Html) => Promise<Omit<Page, 'status'>>
  /** The id of the `turbo-frame` around the form: within a page that has one of that id, the form is shown in its place. Undefined: none. */
  readonly within?: (ctx: Context & S) => string | undefined
}

export interface SecondButton {
  readonly label: string
  /** Of the parameter that it sends, and its value. */
  readonly name?: string
  readonly value?: string
  /** Where it sends the form in place of its own address; what is answered is shown as it is, and nothing need be filled in. */
  readonly to?: string
}

/** The two endpoints of a form: its page, and what it is sent to; and the form itself, to stand on another page. */
export interface Form<S extends object> {
  readonly show: Endpoint
  readonly submit: Endpoint
  /** @param action the address that it is sent to */
  embed(ctx: Context & S, action: string, values?: Values): Promise<Html>
}

/** Declares a form. */
export function form<S extends object>(declared: FormDeclaration<S>): Form<S> {
  const { of, path, scope, summary } = declared
  const show = pageEndpoint({
    route: `GET ${path}`,
    summary: `${summary}: the form`,
    scope,
    can: of.can as never,
    ...(of.tier && { tier: of.tier }),
    ...(declared.cost && { cost: declared.cost }),
    ...(of.withoutSecondFactor && { withoutSecondFactor: true }),
    run: async ctx => {
      const values = (await declared.values?.(ctx as Context & S)) ?? {}
      const specs = await declared.fields(ctx as Context & S)
      return formPage(declared, ctx as Context & S, { values, specs, wrong: {}, alert: undefined })
    },
  })
  const { instead } = declared
  const submit: Endpoint = guarded({
    ...of,
    route: `POST ${path}`,
    method: 'POST',
    path,
    summary,
    shows: of.route,
    ...(instead ? { covers: instead.of } : {}),
    ...(declared.confirms ? { confirms: true } : {}),
    scope: scope as Endpoint['scope'],
    dialect: pages,
    params: paramsOf(declared),
    answers: bytes(HTML),
    run: async (input: Context & S & { readonly params: Record<string, unknown> }) => {
      const params = instead ? await instead.adapt(input, input.params) : input.params
      const result = await of.run({ ...input, params })
      const { notice } = declared
      if (declared.answered) return declared.answered(input, result)
      return done(input, await declared.next(input, result), typeof notice === 'string' ? notice : notice(result))
    },
    refused: async (ctx: Context & S, refusal: Refusal, sent: Wire) => {
      const values = valuesOf(sent)
      const specs = await declared.fields(ctx, values)
      return formPage(declared, ctx, {
        values,
        sent: values,
        specs,
        ...messagesOf(refusal, specs),
        status: 422,
      })
    },
    ...(leavesOutEmpty(declared) ? { sent: withoutEmpty } : {}),
  })
  const embed: Form<S>['embed'] = async (ctx, action, values = {}) =>
    formView(declared, ctx, action, { values, specs: await declared.fields(ctx), wrong: {}, alert: undefined })
  return { show, submit, embed }
}

/** The parameters of a form: those of its declaration that it takes, and what is asked for instead of some. */
function paramsOf<S extends object>({ of, only, instead }: Pick<FormDeclaration<S>, 'of' | 'only' | 'instead'>): TProperties {
  const isTaken = (name: string) => (only?.includes(name) ?? true) && !instead?.of.includes(name)
  return { ...Object.fromEntries(Object.entries(of.params).filter(([name]) => isTaken(name))), ...instead?.params }
}

const leavesOutEmpty = ({ empty, of }: Pick<FormDeclaration<object>, 'empty' | 'of'>): boolean =>
  (empty ?? (of.method === 'POST' ? 'left_out' : 'sent')) === 'left_out'

/** What was sent, without what was left empty. */
export const withoutEmpty = (sent: Wire): Wire => Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))

/** What was typed: of a box and the hidden field before it the last. */
export const valuesOf = (sent: Wire): Values =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value instanceof Repeated ? value.values.at(-1) : value]))

interface FormState {
  readonly values: Values
  /** What was refused. */
  readonly sent?: Values
  readonly specs: readonly FieldSpec[]
  readonly wrong: Readonly<Record<string, readonly string[]>>
  /** What is not about one of the fields. */
  readonly alert: string | undefined
  readonly status?: number
}

/** After a refusal the focus begins at the first field that is wrong. */
function focused(specs: readonly FieldSpec[], wrong: FormState['wrong']): readonly FieldSpec[] {
  const first = specs.find(({ name }) => (wrong[name]?.length ?? 0) > 0)
  if (!first) return specs
  return specs.map(spec => {
    const { autofocus: _, ...others } = spec
    return spec === first ? { ...others, autofocus: true as const } : others
  })
}

/** The form itself, with what is wrong with it. `isAlone`: it has a page of its own. `cancel`: where a link beside its button leads. */
async function formView<S extends object>(
  declared: FormDeclaration<S>,
  ctx: Context & S,
  action: string,
  state: FormState,
  { isAlone = false, cancel }: { readonly isAlone?: boolean; readonly cancel?: string | undefined } = {},
): Promise<Html> {
  const { of, button, before, after, second, within } = declared
  const params = paramsOf(declared)
  // What an empty text is refused for must be there, although the API can do without the parameter.
  const given = leavesOutEmpty(declared)
    ? state.specs
    : state.specs.map(spec => (refusesEmpty(schemaOf(of, params, spec.name)) ? { ...spec, required: true as const } : spec))
  const specs = focused(given, state.wrong)
  const isMultipart = specs.some(({ name, control }) => control === 'file' || takesFiles(params[name]))
  const other = second?.(ctx)
  const frame = within?.(ctx)
  const view = html`${await before?.(ctx, state.sent)}
${cancel !== undefined && specs.some(({ more }) => more !== undefined) && searchForm(ctx, action)}
${state.alert !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${state.alert}</span></div>`}
<form method="post" action="${action}"${isMultipart && html` enctype="multipart/form-data"`}${declared.answered && html` data-turbo="false"`}${state.sent && html` data-refused`}>
${csrfField(ctx)}
${Object.entries(declared.fixed?.(ctx) ?? {}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${specs.map(spec => html`${spec.under !== undefined && html`<h2 class="form-part">${spec.under}</h2>`}${field(spec, schemaOf(of, params, spec.name), { value: state.values[spec.name], wrong: state.wrong[spec.name] ?? [] }, frame)}`)}
<div class="row"><button class="btn ${declared.look === 'danger' ? 'btn-danger' : 'btn-primary'}">${button}</button>${other && secondButton(other)}${cancel !== undefined && html`<a class="btn" href="${cancel}"${isAlone && html` data-turbo-frame="_top"`}>Cancel</a>`}</div>
</form>
${await after?.(ctx, state.sent)}`
  // The page that follows may have a frame of this name, which waits for the form: on its own page that is not what comes after it.
  return frame === undefined ? view : html`<turbo-frame id="${frame}"${isAlone && html` target="_top"`}>${view}</turbo-frame>`
}

/** Finds choices that are not listed, without a script. */
function searchForm({ request }: Context, action: string): Html {
  const query = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
  const search = query.get('search') ?? ''
  const kept = [...query].filter(([name]) => name !== 'search')
  return html`<form action="${action}" class="filter-bar" role="search">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<label class="sr-only" for="find-choices">Find choices by their names</label><input class="form-control" type="search" id="find-choices" name="search" value="${search}" placeholder="Find choices by their names"><button class="btn">Find</button></form>
<p class="small muted">What is chosen below and not saved yet is chosen again afterwards.</p>`
}

const secondButton = ({ label, name, value, to }: SecondButton): Html =>
  html`<button class="btn"${name !== undefined && html` name="${name}" value="${value}"`}${to !== undefined && html` formaction="${to}" formnovalidate data-turbo="false"`}>${label}</button>`

async function formPage<S extends object>(declared: FormDeclaration<S>, ctx: Context & S, state: FormState): Promise<ByteAnswer> {
  const isAlone = ctx.request.headers['turbo-frame'] === undefined
  const isShown = isAlone || declared.cancelsWithin === true
  const cancel = !isShown || declared.cancel === 'stays' ? undefined : await declared.cancel(ctx)
  const body = await formView(declared, ctx, declared.action?.(ctx) ?? addressOf(ctx), state, { isAlone, cancel })
  if (declared.around)
    return page(ctx, { ...(await declared.around(ctx, body)), ...(state.status === undefined ? {} : { status: state.status }) })
  return page(ctx, {
    width: 'medium',
    ...(await declared.frame(ctx)),
    body,
    ...(state.status === undefined ? {} : { status: state.status }),
  })
}

function schemaOf(of: Endpoint, params: TProperties, name: string) {
  const schema = params[name]
  if (!schema) throw new Error(`${of.route} has no parameter ${name} that a form could show`)
  return schema
}

/** The address that the page was asked for, without its query. */
const addressOf = ({ request }: Context): string => request.address.split('?', 1)[0] as string

/** The messages of a refusal by field, and what is about none of the fields. */
export function messagesOf(
  refusal: Refusal,
  fields: readonly FieldSpec[],
): { readonly wrong: Readonly<Record<string, readonly string[]>>; readonly alert: string | undefined } {
  const { message: said, errors } = (refusal.body ?? {}) as { message?: string | string[] | Failures; errors?: unknown }
  // Some declarations of the API say their reason as `errors`.
  const inBody = said ?? (typeof errors === 'string' ? errors : undefined)
  const message = refusal instanceof InvalidAsHash || refusal instanceof RefusedAt ? refusal.failures : inBody
  const names = new Set(fields.map(({ name }) => name))
  if (typeof message === 'object' && !Array.isArray(message)) {
    // `upload[url]` of the API is a field `upload_url`, and `deploy_key.key` says what is wrong with `key`.
    const fieldOf = (name: string) => {
      const plain = name.replace(/\[(\w+)\]/g, '_$1')
      const last = plain.split('.').at(-1) as string
      return names.has(plain) || !names.has(last) ? plain : last
    }
    const entries = Object.entries(message).map(
      ([name, said]) => [fieldOf(name), Array.isArray(said) ? said : [typeof said === 'string' ? said : JSON.stringify(said)]] as const,
    )
    // What is wrong with the whole is said under `base`, or `error`.
    const others = entries
      .filter(([name]) => !names.has(name))
      .map(([name, said]) => (name === 'base' || name === 'error' ? said.join(', ') : `${name} ${said.join(', ')}`))
    const wordsOf = (name: string, said: readonly string[]) => {
      const { invalid } = fields.find(spec => spec.name === name) ?? {}
      return said.map(words => (words === 'is invalid' ? (invalid ?? words) : words))
    }
    return {
      wrong: Object.fromEntries(entries.filter(([name]) => names.has(name)).map(([name, said]) => [name, wordsOf(name, said)])),
      alert: others.length > 0 ? others.join('; ') : undefined,
    }
  }
  const line = [message]
    .flat()
    .filter(said => typeof said === 'string')
    .join('; ')
    .replace(/^\d{3} (\([^)]*\)|[A-Z][A-Za-z ]*?(?= - )|[A-Z][A-Za-z ]*?)( - | |$)/, '')
  // What the caller has named is not there. A 404 about the place itself never comes here: its scope is asked again before a form is shown.
  if (refusal.kind === 'not_found') {
    const noun = /^404 (.+) Not Found$/.exec([message].flat().join(' '))?.[1]
    const asked = noun === undefined ? undefined : fieldNamed(fields, noun)
    if (asked) return { wrong: { [asked.name]: ['does not exist, or you may not see it'] }, alert: undefined }
    return { wrong: {}, alert: `${noun ?? 'What is named here'} was not found: it does not exist, or you may not see it.` }
  }
  const missing = /^"(\w+)" not given$/.exec(line)?.[1]
  if (missing !== undefined && names.has(missing)) return { wrong: { [missing]: ['must be given'] }, alert: undefined }
  // A conflict names its field as people do: "Path has already been taken".
  const named = fields.find(({ name }) => line.toLowerCase().startsWith(`${name.replaceAll('_', ' ')} `))
  if (named) return { wrong: { [named.name]: [afterLabel(named, line.slice(named.name.length + 1))] }, alert: undefined }
  return {
    wrong: {},
    alert: line || (refusal.kind === 'forbidden' ? 'You may not do this here.' : 'This did not work. Please check what you entered.'),
  }
}

/** The words about a field, which stand after its label: not `Name name is invalid`. */
function afterLabel({ label = '' }: FieldSpec, words: string): string {
  const rest = label !== '' && words.startsWith(`${label.toLowerCase()} `) ? words.slice(label.length + 1) : words
  return rest === 'invalid' ? 'is invalid' : rest
}

/** The field that asks for a thing by what the API calls it: `branch`, `target_branch` or `branch_id` for a `Branch`. */
function fieldNamed(fields: readonly FieldSpec[], noun: string): FieldSpec | undefined {
  const name = noun.toLowerCase().replaceAll(' ', '_')
  const is = (test: (spec: FieldSpec) => boolean) => fields.find(spec => spec.control !== 'hidden' && test(spec))
  return is(spec => spec.name === name || spec.name === `${name}_id`) ?? is(spec => spec.name.endsWith(`_${name}`))
}
