/** The ids of the container registry API become repositories and tags, or 404. */
import { allows } from '../../../platform/access/abilities.ts'
import { type Actor, isAnonymous } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { scope, within } from '../../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../../platform/kernel/declaration/types.ts'
import { forbidden, notFound, refusedTo, unauthenticated } from '../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { inProject, type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { type RepositoryRow, repositoryById, type TagRow, tagIn } from '../queries.ts'

/** @throws Refusal 403 where the registry is off for the caller (`container_registry_access_level`), and for the job of another project */
export function assertRegistry(actor: Actor, project: ProjectWithRole): void {
  if (allows(actor, 'read_container_image', projectSubject(project)) === 'hidden') throw refusedTo(actor)
  const { credential } = actor
  // Contract: the token of a job opens this API for its own project alone (container registry API at 14.0).
  if (credential?.kind === 'job_token' && credential.projectId !== project.id) throw forbidden()
}

/** `:id` becomes a project that has a container registry. */
export const inRegistry = within(inProject, {
  name: 'inRegistry',
  path: {},
  async load({ project, actor }) {
    assertRegistry(actor, project)
    return {}
  },
})

/** The part of an address that names a repository of images. */
export const repositoryPathParams = { repository_id: integer('ID of a repository of images') }

/** @throws Refusal 404 unless it is a repository of the project */
export async function findRepository(
  { db, project }: Pick<Context, 'db'> & { readonly project: { readonly id: number } },
  id: number,
): Promise<RepositoryRow> {
  const found = await repositoryById(db, id)
  if (found?.project_id !== project.id) throw notFound()
  return found
}

/** The part of an address that names a tag of an image. */
export const tagPathParams = { tag_name: text('Name of a tag') }

/** @throws Refusal 404 unless the repository has the tag */
export async function findTag(
  { db, repository }: Pick<Context, 'db'> & { readonly repository: RepositoryRow },
  name: string,
): Promise<TagRow> {
  const found = await tagIn(db, repository.id, name)
  if (!found) throw notFound('Tag')
  return found
}

/** `:repository_id` becomes a repository of images of the project, or 404. */
export const inContainerRepository = within(inRegistry, {
  name: 'inContainerRepository',
  path: repositoryPathParams,
  load: async (ctx, { repository_id }) => ({ repository: await findRepository(ctx, repository_id) }),
  modifiedAt: ({ repository }) => repository.updated_at,
})

/** `:tag_name` becomes a tag of the repository, or 404. */
export const inContainerTag = within(inContainerRepository, {
  name: 'inContainerTag',
  path: tagPathParams,
  load: async (ctx, { tag_name }) => ({ tag: await findTag(ctx, tag_name) }),
  modifiedAt: ({ tag }) => tag.updated_at,
})

/** `:id` becomes a repository of images of any project that the caller may see, or 404. */
export const inAnyContainerRepository = scope({
  name: 'inAnyContainerRepository',
  path: { id: integer('ID of a repository of images') },
  async load({ db, actor }, { id }) {
    // Contract: without credentials it is 401 for images of public projects too (container registry API at 14.0).
    if (isAnonymous(actor)) throw unauthenticated()
    const repository = await repositoryById(db, id)
    const project = repository && (await visibleProject(db, actor, String(repository.project_id)))
    if (!project) throw notFound()
    assertRegistry(actor, project)
    return { project, repository }
  },
  subject: ({ project }) => projectSubject(project),
  modifiedAt: ({ repository }) => repository.updated_at,
})
