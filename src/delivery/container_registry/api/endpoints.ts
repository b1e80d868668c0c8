/** Repositories of images and their tags (container registry API at 14.0). */
import { endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../../platform/kernel/request/params.ts'
import { inGroup } from '../../../spaces/groups/scope.ts'
import { requestCleanup } from '../cleanup/commands.ts'
import { removeRepository, removeTags } from '../manifests.ts'
import { repositoriesOf, repositoriesOfGroup, tagsIn } from '../queries.ts'
import { ContainerRepository, ContainerTag, ContainerTagDetails, SingleContainerRepository } from './entity.ts'
import { inAnyContainerRepository, inContainerRepository, inContainerTag, inRegistry } from './scope.ts'

const parts = {
  tags: flag('Each with its tags', { default: false }),
  tags_count: flag('Each with the number of its tags', { default: false }),
}

export const listContainerRepositories = endpoint({
  route: 'GET /projects/:id/registry/repositories',
  summary: 'List the repositories of images of a project',
  scope: inRegistry,
  can: 'read_container_image',
  jobToken: true,
  params: parts,
  answers: pageOf(ContainerRepository),
  run: ({ db, project }) => repositoriesOf(db, project.id),
})

export const listGroupContainerRepositories = endpoint({
  route: 'GET /groups/:id/registry/repositories',
  summary: 'List the repositories of images of the projects in a group and below it',
  scope: inGroup,
  can: 'read_group_container_images',
  params: parts,
  answers: pageOf(ContainerRepository),
  run: ({ db, actor, group }) => repositoriesOfGroup(db, actor, group.id),
})

export const getContainerRepository = endpoint({
  route: 'GET /registry/repositories/:id',
  summary: 'Get a repository of images',
  scope: inAnyContainerRepository,
  can: 'read_container_image',
  jobToken: true,
  params: parts,
  answers: one(SingleContainerRepository),
  run: ({ repository }) => repository,
})

export const deleteContainerRepository = endpoint({
  route: 'DELETE /projects/:id/registry/repositories/:repository_id',
  summary: 'Delete a repository of images with all its tags',
  scope: inContainerRepository,
  can: 'admin_container_image',
  jobToken: true,
  answers: { ...nothing, status: 202 },
  run: ctx => removeRepository(ctx, ctx.repository),
})

export const listContainerTags = endpoint({
  route: 'GET /projects/:id/registry/repositories/:repository_id/tags',
  summary: 'List the tags of a repository of images',
  scope: inContainerRepository,
  can: 'read_container_image',
  jobToken: true,
  answers: pageOf(ContainerTag),
  run: ({ db, repository }) => tagsIn(db, repository.id),
})

export const getContainerTag = endpoint({
  route: 'GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name',
  summary: 'Get a tag of a repository of images',
  scope: inContainerTag,
  can: 'read_container_image',
  jobToken: true,
  answers: one(ContainerTagDetails),
  run: ({ tag }) => tag,
})

export const deleteContainerTag = endpoint({
  route: 'DELETE /projects/:id/registry/repositories/:repository_id/tags/:tag_name',
  summary: 'Delete a tag of a repository of images',
  scope: inContainerTag,
  can: 'destroy_container_image',
  jobToken: true,
  // Contract: 200 (container registry API at 14.0).
  answers: { ...nothing, status: 200 },
  async run(ctx) {
    await removeTags(ctx, ctx.repository, [ctx.tag.name])
  },
})

const pattern = (about: string, options = {}) =>
  optional(text(`${about}, as an RE2 pattern of the whole name`, { maxLength: 255, ...options }))

export const deleteContainerTags = endpoint({
  route: 'DELETE /projects/:id/registry/repositories/:repository_id/tags',
  summary: 'Delete many tags of a repository of images in the background, once an hour at most; never `latest`',
  scope: inContainerRepository,
  can: 'admin_container_image',
  jobToken: true,
  params: {
    name_regex_delete: pattern('Tags to delete', { examples: ['dev-.*'] }),
    name_regex: pattern('The same under its old name', { deprecated: true }),
    name_regex_keep: pattern('Tags to keep all the same'),
    keep_n: optional(integer('Number of the newest of these tags that are kept', { minimum: 0, maximum: 1_000_000 })),
    older_than: optional(text('Only tags of images that are older: `1h`, `1d`, `1month`', { maxLength: 255, examples: ['1month'] })),
  },
  rules: [atLeastOne('name_regex_delete', 'name_regex')],
  answers: { ...nothing, status: 202 },
  run: ctx => requestCleanup(ctx, ctx.repository, ctx.params),
})
