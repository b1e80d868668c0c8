/** How the id of a deploy token in a path becomes its row. */
import Type from 'typebox'
import type { Db } from '../db/connection.ts'
import { inGroup } from '../groups/scope.ts'
import { notFound } from '../kernel/errors.ts'
import { within } from '../kernel/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type DeployTokenPlace, deployTokenOf } from './queries.ts'

const path = { token_id: Type.Integer({ description: 'ID of a deploy token' }) }

async function load(db: Db, place: DeployTokenPlace, id: number) {
  const deployToken = await deployTokenOf(db, place, id)
  if (!deployToken) throw notFound('Deploy Token')
  return { deployToken }
}

/** `:token_id` becomes a deploy token of the project, or 404. */
export const inProjectDeployToken = within(inProject, {
  name: 'inProjectDeployToken',
  path,
  load: ({ db, project }, { token_id }) => load(db, { project_id: project.id }, token_id),
})

/** `:token_id` becomes a deploy token of the group, or 404. */
export const inGroupDeployToken = within(inGroup, {
  name: 'inGroupDeployToken',
  path,
  load: ({ db, group }, { token_id }) => load(db, { group_id: group.id }, token_id),
})
