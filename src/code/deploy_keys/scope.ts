import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { deployKeyById, deployKeyOf } from './queries.ts'

/** `:key_id` is resolved to a deploy key, whatever projects have it, or 404. */
export const inInstanceDeployKey = within(inInstance, {
  name: 'inInstanceDeployKey',
  path: { key_id: integer('ID of a deploy key') },
  async load({ db }, { key_id }) {
    const deployKey = await deployKeyById(db, key_id)
    if (!deployKey) throw notFound('Deploy Key')
    return { deployKey }
  },
})

/** `:key_id` is resolved to a deploy key of the project, or 404. */
export const inDeployKey = within(inProject, {
  name: 'inDeployKey',
  path: { key_id: integer('ID of a deploy key') },
  async load({ db, project }, { key_id }) {
    const deployKey = await deployKeyOf(db, project.id, key_id)
    if (!deployKey) throw notFound('Deploy Key')
    return { deployKey }
  },
})
