/** Repositories of images and their tags by the addresses of their pages. */
import {
  assertRegistry,
  findRepository,
  findTag,
  repositoryPathParams,
  tagPathParams,
} from '../../delivery/container_registry/api/scope.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'

/** The path of the list of images, and of what is below it. */
export const REGISTRY = '/:project_path/-/container_registry'

/** The path of the page of one image. */
export const IMAGE = `${REGISTRY}/:repository_id` as const

/** A project that has a container registry; 403 where it is switched off. */
export const inRegistryPage = within(inProjectPage, {
  name: 'inRegistryPage',
  path: {},
  async load({ actor, project }) {
    assertRegistry(actor, project)
    return {}
  },
})

/** `:repository_id` becomes a repository of images of the project, or 404. */
export const inContainerRepositoryPage = within(inRegistryPage, {
  name: 'inContainerRepositoryPage',
  path: repositoryPathParams,
  load: async (ctx, { repository_id }) => ({ repository: await findRepository(ctx, repository_id) }),
})

/** `:tag_name` becomes a tag of the repository, or 404. */
export const inContainerTagPage = within(inContainerRepositoryPage, {
  name: 'inContainerTagPage',
  path: tagPathParams,
  load: async (ctx, { tag_name }) => ({ tag: await findTag(ctx, tag_name) }),
})
