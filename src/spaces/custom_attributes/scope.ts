/** Groups and projects as bearers of custom attributes. */
import type { InBearer } from '../../identity/custom_attributes/scope.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'

export const inGroupBearer = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ group }): Promise<InBearer> => ({ bearer: { column: 'namespace_id', id: group.id } }),
})

export const inProjectBearer = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ project }): Promise<InBearer> => ({ bearer: { column: 'project_id', id: project.id } }),
})
