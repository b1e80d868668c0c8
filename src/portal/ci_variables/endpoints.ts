/** The pages of variables: of projects, of groups and of the instance. The same pages for all. */

import { groupVariables, instanceVariables, projectVariables } from '../../ci/variables/endpoints.ts'
import { Variable } from '../../ci/variables/entity.ts'
import { type VariableRow, variablesOfGroups } from '../../ci/variables/queries.ts'
import type { InVariablePlace } from '../../ci/variables/scope.ts'
import { MASK_RULE, NOT_MASKABLE } from '../../ci/variables/values.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { text, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { revealedPage } from '../../platform/pages/components/revealed.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { adminPlace } from '../admin/place.ts'
import { administered } from '../admin/scope.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import { eitherPath, type InEither } from '../places/planning.ts'
import { inGroupVariablesPage, inInstanceVariablesPage, inProjectVariablesPage, inVariablePage } from './scope.ts'
import { adaptOtherValue, kindField, otherValue, otherValueFields, withLineEnds } from './values.ts'
import { type InheritedVariable, variablesView } from './variables_view.ts'

/** Variables of the groups above that are listed. */
const MOST_INHERITED = 200

interface Kind<S extends InVariablePlace> {
  /** The address of the page, as a route. */
  readonly path: `/${string}`
  readonly scope: Scope<S>
  readonly api: readonly Endpoint[]
  readonly addressOf: (subjects: S) => string
  readonly placeOf: (ctx: Context & S) => Place
  readonly inheritedBy: (ctx: Context & S) => Promise<readonly InheritedVariable[]>
}

const scopeHint = '`*` for all, or names such as `production` and `review/*`.'

function variablePages<S extends InVariablePlace>({ path, scope, api, addressOf, placeOf, inheritedBy }: Kind<S>) {
  const inOne = inVariablePage(scope)
  type One = S & { readonly variable: VariableRow }
  const [list] = api as [Endpoint]
  const has = (endpoint: Endpoint, name: string) => name in endpoint.params
  const isScoped = ({ of, tier }: Context & S) => of === 'project' || (of === 'group' && tierCovers(tier, 'premium'))
  const frame = (title: string) => (ctx: Context & S) => ({ title, place: placeOf(ctx) })
  const creation = declarationOf(api, 'POST', /\/variables$/)
  const change = declarationOf(api, 'PUT', /\/:key$/)
  const kinds = (ctx: Context & S): readonly FieldSpec[] => [
    kindField,
    ...(has(creation, 'environment_scope') && isScoped(ctx) ? [{ name: 'environment_scope', label: 'Environments', hint: scopeHint }] : []),
    { name: 'protected', label: 'Protected', hint: 'Only jobs of protected branches and tags get it.' },
    { name: 'masked', label: 'Masked', hint: `Logs hide the value. ${MASK_RULE}` },
    ...(has(creation, 'raw') ? [{ name: 'raw', label: 'Raw', hint: 'Other variables in the value (`$NAME`) are not expanded.' }] : []),
  ]

  const show = pageEndpoint({
    route: `GET ${path}`,
    summary: 'Show the variables',
    scope: scope as Scope<S>,
    can: list.can as never,
    params: listParams,
    async run(input) {
      const ctx = input as unknown as Context & S & { params: { page: number; per_page: number } }
      const found = await listPage(ctx, ctx.variables, ctx.params)
      const view = { ctx, base: addressOf(ctx), of: ctx.of, isScoped: isScoped(ctx) }
      return page(ctx, {
        title: 'Variables',
        place: placeOf(ctx),
        heading: 'own',
        body: variablesView(view, found.rows, found.links, await inheritedBy(ctx)),
      })
    },
  })

  const reveal = pageEndpoint({
    route: `GET ${path}/:variable_id/value`,
    summary: 'Show the value of a variable',
    scope: inOne as unknown as Scope<One>,
    can: list.can as never,
    async run(input) {
      const ctx = input as unknown as Context & One
      const [shown] = await presentAll(Variable, ctx, [ctx.variable])
      const { key, value } = shown as { readonly key: string; readonly value: string }
      return revealedPage(
        ctx,
        { title: `Value of ${key}`, place: placeOf(ctx), width: 'medium' },
        { id: `variable-${ctx.variable.id}`, label: `Value of ${key}`, text: value },
      )
    },
  })

  const create = form<S>({
    path: `${path}/new`,
    summary: 'Add a variable',
    scope,
    of: creation,
    empty: 'sent',
    instead: {
      of: ['value'],
      params: { value: text('Value of the variable', { maxLength: 10_000, examples: ['correct-horse'] }) },
      adapt: async (_ctx, params) => withLineEnds(params),
    },
    fields: ctx => [
      { name: 'key', label: 'Name', hint: 'Letters, digits and `_`.', autofocus: true },
      { name: 'value', label: 'Value', control: 'textarea', hint: '', invalid: NOT_MASKABLE },
      ...kinds(ctx),
      ...(has(creation, 'masked_and_hidden')
        ? [{ name: 'masked_and_hidden', label: 'Masked and hidden', hint: 'Masked, and nobody is shown the value again. It stays so.' }]
        : []),
    ],
    values: () => ({ environment_scope: '*', protected: true }),
    next: addressOf,
    cancel: addressOf,
    notice: 'The variable was added.',
    button: 'Add variable',
    frame: frame('Add a variable'),
  })

  const edit = form<One>({
    path: `${path}/:variable_id/edit`,
    summary: 'Change a variable',
    scope: inOne as unknown as Scope<One>,
    of: change,
    instead: {
      of: ['value', 'filter'],
      params: otherValue,
      async adapt(ctx, params) {
        const adapted = adaptOtherValue(params)
        if ('value' in adapted || ctx.of !== 'instance') return adapted
        // Of the instance, the API wants the value each time.
        const [shown] = await presentAll(Variable, ctx, [ctx.variable])
        return { ...adapted, value: (shown as { readonly value: string }).value }
      },
    },
    fields: ctx => [...otherValueFields.map(spec => ({ ...spec, invalid: NOT_MASKABLE })), ...kinds(ctx)],
    values: ({ variable: { variable_type, environment_scope, protected: isProtected, masked, raw } }) => ({
      variable_type,
      environment_scope,
      protected: isProtected,
      masked,
      raw,
    }),
    next: addressOf,
    cancel: addressOf,
    notice: 'The variable was changed.',
    button: 'Save',
    frame: ctx => frame(`Change ${ctx.variable.key}`)(ctx),
  })

  const remove = action<One>({
    route: `POST ${path}/:variable_id/delete`,
    of: declarationOf(api, 'DELETE', /\/:key$/),
    scope: inOne as unknown as Scope<One>,
    next: addressOf,
    notice: 'The variable was deleted.',
    instead: { params: {}, adapt: async () => ({}) },
  })

  return { show, reveal, showCreate: create.show, create: create.submit, showEdit: edit.show, edit: edit.submit, remove }
}

const addressHere = (subjects: object): string => eitherPath(subjects as InEither, '/-/variables')
const placeHere = (ctx: Context & object): Place => settingsPlaceOf(ctx as Context & InEither, 'variables')

/** The variables of the groups with these ids. */
const ofGroups = ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  ids.length === 0 ? Promise.resolve([]) : variablesOfGroups(db, ids).limit(MOST_INHERITED).execute()

export const projectVariablePages = variablePages({
  path: '/:project_path/-/variables',
  scope: inProjectVariablesPage,
  api: projectVariables,
  addressOf: addressHere,
  placeOf: placeHere,
  inheritedBy: ctx => ofGroups(ctx, ctx.project.namespace_traversal_ids),
})

export const groupVariablePages = variablePages({
  path: '/groups/:group_path/-/variables',
  scope: inGroupVariablesPage,
  api: groupVariables,
  addressOf: addressHere,
  placeOf: placeHere,
  inheritedBy: ctx => ofGroups(ctx, ctx.group.traversal_ids.slice(0, -1)),
})

export const instanceVariablePages = variablePages({
  path: '/admin/ci/variables',
  scope: administered(inInstanceVariablesPage),
  api: instanceVariables,
  addressOf: () => '/admin/ci/variables',
  placeOf: ctx => adminPlace('variables', ctx),
  inheritedBy: async () => [],
})
