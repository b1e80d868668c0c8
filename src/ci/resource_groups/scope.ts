import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject, projectSubject } from '../../spaces/projects/scope.ts'
import { resourceGroupsOf } from './queries.ts'

/** `:key` becomes a resource group of the project, or 404. */
export const inResourceGroup = within(inProject, {
  name: 'inResourceGroup',
  path: { key: text('URL-encoded key of a resource group') },
  async load({ db, project }, { key }) {
    const resourceGroup = await resourceGroupsOf(db, project.id).where('key', '=', key).executeTakeFirst()
    if (!resourceGroup) throw notFound('Resource Group')
    return { resourceGroup }
  },
  subject: ({ project }) => projectSubject(project),
})
