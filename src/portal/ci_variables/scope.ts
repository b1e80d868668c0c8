/** The places of variables by the addresses of their pages, and one of their variables. */
import { type VariableRow, variablesOfGroup, variablesOfInstance, variablesOfProject } from '../../ci/variables/queries.ts'
import type { InVariablePlace } from '../../ci/variables/scope.ts'
import { inInstance, type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'

export const inProjectVariablesPage = within(inProjectPage, {
  name: 'inProjectPage',
  path: {},
  load: async ({ db, project }): Promise<InVariablePlace> => ({
    of: 'project',
    place: { project_id: project.id },
    variables: variablesOfProject(db, project.id),
  }),
})

export const inGroupVariablesPage = within(inGroupPage, {
  name: 'inGroupPage',
  path: {},
  load: async ({ db, group }): Promise<InVariablePlace> => ({
    of: 'group',
    place: { namespace_id: group.id },
    variables: variablesOfGroup(db, group.id),
  }),
})

export const inInstanceVariablesPage = within(inInstance, {
  name: 'inInstance',
  path: {},
  load: async ({ db }): Promise<InVariablePlace> => ({ of: 'instance', place: {}, variables: variablesOfInstance(db) }),
})

/** `:variable_id` becomes a variable of the place, or 404: a key may have several, for different environments. */
export const inVariablePage = <S extends InVariablePlace>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}VariableById`,
    path: { variable_id: integer('ID of a variable') },
    async load({ variables }, { variable_id }): Promise<{ readonly named: readonly VariableRow[]; readonly variable: VariableRow }> {
      const variable = await variables.where('ci_variables.id', '=', variable_id).executeTakeFirst()
      if (!variable) throw notFound('Variable')
      return { named: [variable], variable }
    },
  })
