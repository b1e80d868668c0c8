/** Variables of the instance (document 2 "Instance-level CI/CD variables"), of groups and of projects: the same declarations for all. */
import Type, { type TProperties } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf, type Shown } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { flag, OneOf, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { RefusalKind } from '../../platform/kernel/errors.ts'
import { createVariable, type NewVariable, removeVariable, updateVariable, type VariableAttributes } from './commands.ts'
import { InstanceVariable, Variable, variableTypes } from './entity.ts'
import type { VariableRow } from './queries.ts'
import { type InVariablePlace, inGroupVariables, inInstanceVariables, inProjectVariables, inVariable, theVariable } from './scope.ts'
import { KEY, KEY_RULE, MAX_KEY, MAX_VALUE, SCOPE, SCOPE_RULE } from './values.ts'

interface Place<S extends InVariablePlace> {
  readonly path: `/${string}`
  /** As in "of a project". */
  readonly of: string
  readonly scope: Scope<S>
  readonly can: Ability
  readonly entity: Shown<VariableRow>
  /** Additional attributes of a variable of this owner. */
  readonly params: TProperties
  /** Those that a new one alone can have. */
  readonly newParams: TProperties
  /** The parameters that select one of several variables of a key. */
  readonly filter: TProperties
  /** Is the value required in an update? */
  readonly valueIsRequired: boolean
}

const Value = text('Value of the variable', { maxLength: MAX_VALUE, examples: ['correct-horse'] })

const attributes = {
  variable_type: Type.Optional(OneOf(variableTypes, { description: 'A `file` variable holds the path of a file with the value' })),
  protected: optional(flag('Only for protected branches and tags')),
  masked: optional(flag('Hidden in logs')),
}

function variableEndpoints<S extends InVariablePlace>(given: Place<S>) {
  const { path, of, scope, can, entity, params, newParams, filter, valueIsRequired } = given
  const inOne = inVariable(scope)
  // Only where a filter tells them apart may a key have several variables.
  const ambiguous: readonly RefusalKind[] = 'filter' in filter ? ['conflict'] : []
  type Filtered = { filter?: { environment_scope?: string } }

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the variables ${of}`,
    scope,
    can,
    answers: pageOf(entity),
    run: ({ variables }) => variables,
  })
  const get = endpoint({
    route: `GET ${path}/:key`,
    summary: `Get a variable ${of}`,
    scope: inOne,
    can,
    params: filter,
    answers: one(entity),
    errors: ambiguous,
    run: ctx => theVariable(ctx, (ctx.params as Filtered).filter),
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Create a variable ${of}`,
    scope,
    can,
    params: {
      key: text('Name of the variable', { minLength: 1, maxLength: MAX_KEY, pattern: KEY, message: KEY_RULE, examples: ['DEPLOY_TOKEN'] }),
      value: Value,
      ...attributes,
      ...params,
      ...newParams,
    },
    answers: one(entity),
    run: ctx => createVariable(ctx, ctx, ctx.params as NewVariable),
  })
  const update = endpoint({
    route: `PUT ${path}/:key`,
    summary: `Change a variable ${of}`,
    scope: inOne,
    can,
    params: { value: valueIsRequired ? Value : Type.Optional(Value), ...attributes, ...params, ...filter },
    answers: one(entity),
    errors: ambiguous,
    run(ctx) {
      const { filter: wanted, ...changes } = ctx.params as Filtered & VariableAttributes
      return updateVariable(ctx, ctx.of, theVariable(ctx, wanted), changes)
    },
  })
  const remove = endpoint({
    route: `DELETE ${path}/:key`,
    summary: `Delete a variable ${of}`,
    scope: inOne,
    can,
    params: filter,
    answers: nothing,
    errors: ambiguous,
    run: ctx => removeVariable(ctx, theVariable(ctx, (ctx.params as Filtered).filter)),
  })
  return [list, get, create, update, remove] as const
}

export const instanceVariables = variableEndpoints({
  path: '/admin/ci/variables',
  of: 'of the instance',
  scope: inInstanceVariables,
  // Decision 31.
  can: 'admin_instance',
  entity: InstanceVariable,
  params: {},
  newParams: {},
  filter: {},
  valueIsRequired: true,
})

const Raw = optional(flag('What looks like another variable in the value stays as it is'))
const EnvironmentScope = optional(
  text('The environments that it is for; `*` stands for any text', { minLength: 1, maxLength: 255, pattern: SCOPE, message: SCOPE_RULE }),
)
const Hidden = { masked_and_hidden: optional(flag('Hidden in logs, and shown by no answer from now on')) }
const Filter = Type.Optional(
  Type.Object(
    { environment_scope: optional(text('Environments that the variable is for, with wildcards; `*`: all')) },
    { description: 'Which of several is meant' },
  ),
)

export const groupVariables = variableEndpoints({
  path: '/groups/:id/variables',
  of: 'of a group',
  scope: inGroupVariables,
  can: 'admin_group_variables',
  entity: Variable,
  params: { raw: Raw, environment_scope: onTier('premium', EnvironmentScope) },
  newParams: Hidden,
  filter: { filter: Filter },
  valueIsRequired: false,
})

export const projectVariables = variableEndpoints({
  path: '/projects/:id/variables',
  of: 'of a project',
  scope: inProjectVariables,
  can: 'admin_variables',
  entity: Variable,
  params: { raw: Raw, environment_scope: EnvironmentScope },
  newParams: Hidden,
  filter: { filter: Filter },
  valueIsRequired: false,
})
