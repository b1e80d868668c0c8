/** The places of deploy tokens, and scopes that load a token by the id in the path. */

import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type DeployTokenPlace, deployTokenOf } from './queries.ts'

/** What a scope of deploy tokens adds to the context. */
export interface InDeployTokenPlace {
  readonly of: DeployTokenPlace
}

/** The deploy tokens of the project. */
export const inProjectDeployTokens = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ project }): Promise<InDeployTokenPlace> => ({ of: { project_id: project.id } }),
})

/** The deploy tokens of the group. */
export const inGroupDeployTokens = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ group }): Promise<InDeployTokenPlace> => ({ of: { group_id: group.id } }),
})

/** `:token_id` becomes a deploy token of the place, or 404. */
export const inDeployToken = <S extends InDeployTokenPlace>(place: Scope<S>) =>
  within(place, {
    name: `${place.name}DeployToken`,
    path: { token_id: integer('ID of a deploy token') },
    async load({ db, of }, { token_id }) {
      const deployToken = await deployTokenOf(db, of, token_id)
      if (!deployToken) throw notFound('Deploy Token')
      return { deployToken }
    },
  })
