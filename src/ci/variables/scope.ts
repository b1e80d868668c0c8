/** The owners of variables (instance, groups and projects), and the variables of a key. */

import { inInstance, type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { type VariableRow, type Variables, variablesOfGroup, variablesOfInstance, variablesOfProject } from './queries.ts'

/** What every scope of this resource provides. */
export interface InVariablePlace {
  readonly of: 'instance' | 'group' | 'project'
  /** The owner of new variables; neither for those of the instance. */
  readonly place: { readonly project_id?: number; readonly namespace_id?: number }
  readonly variables: Variables
}

/** What identifies a variable: one key may have several, for different environments. */
export interface InVariable extends InVariablePlace {
  readonly named: readonly VariableRow[]
}

export const inInstanceVariables = within(inInstance, {
  name: 'inInstance',
  path: {},
  load: async ({ db }): Promise<InVariablePlace> => ({ of: 'instance', place: {}, variables: variablesOfInstance(db) }),
})

export const inGroupVariables = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ db, group }): Promise<InVariablePlace> => ({
    of: 'group',
    place: { namespace_id: group.id },
    variables: variablesOfGroup(db, group.id),
  }),
})

export const inProjectVariables = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ db, project }): Promise<InVariablePlace> => ({
    of: 'project',
    place: { project_id: project.id },
    variables: variablesOfProject(db, project.id),
  }),
})

/** `:key` becomes the variables of that key. A caller who may not read them must not learn whether there are any: `theVariable` is. */
export const inVariable = <S extends InVariablePlace>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}Variable`,
    path: { key: text('Key of a variable') },
    load: async ({ variables }, { key }) => ({ named: await variables.where('key', '=', key).execute() }),
    modifiedAt: ({ named }) =>
      named
        .map(({ updated_at }) => updated_at)
        .sort()
        .at(-1) ?? '',
  })

/** The selected variable; 404, or 409 if its environment scope must be given. */
export function theVariable({ named }: InVariable, filter: { readonly environment_scope?: string | undefined } = {}): VariableRow {
  const { environment_scope: scope } = filter
  const [variable, another] = scope === undefined ? named : named.filter(({ environment_scope }) => environment_scope === scope)
  if (!variable) throw notFound('Variable')
  // Contract: if a key has several variables, the request must name the scope (project-level variables API).
  if (another) throw conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
  return variable
}
