/** Scopes of repositories and blobs. */

import { isObjectId } from '../../platform/git/index.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { hasBlob } from './files/queries.ts'

/** A project with its repository, which is undefined until something is written to it. */
export const inRepository = within(inProject, {
  name: 'inRepository',
  path: {},
  load: async ({ deps, project }) => ({ repository: await findRepository(deps.storages, project) }),
})

/** Like `inRepository`, below the page of the project. */
export const inRepositoryPage = within(inProjectPage, {
  name: 'inRepositoryPage',
  path: {},
  load: async ({ deps, project }) => ({ repository: await findRepository(deps.storages, project) }),
})

/** `:sha` is resolved to a blob of the repository, or 404. */
export const inBlob = within(inRepository, {
  name: 'inBlob',
  path: { sha: text('ID of a blob') },
  async load({ repository }, { sha: id }) {
    if (!repository || !isObjectId(id) || !(await hasBlob(repository, id))) throw notFound('Blob')
    return { blob: { id, repository } }
  },
})
