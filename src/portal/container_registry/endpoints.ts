/** The pages of the container registry: the images of a project and of a group, and of each image its tags, which are deleted there. */
import Type from 'typebox'
import * as api from '../../delivery/container_registry/api/endpoints.ts'
import { ContainerTagDetails } from '../../delivery/container_registry/api/entity.ts'
import { removeTags } from '../../delivery/container_registry/manifests.ts'
import { imageNameOf } from '../../delivery/container_registry/names.ts'
import {
  blobSizesOf,
  type RepositoryRow,
  repositoriesOf,
  repositoriesOfGroup,
  tagCountsOf,
  tagsIn,
} from '../../delivery/container_registry/queries.ts'
import { imageAllows } from '../../delivery/registry_protection/rights.ts'
import { tagRights } from '../../delivery/registry_protection/tags/rights.ts'
import type { Db } from '../../platform/db/connection.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { linesView } from '../packages/package_view.ts'
import { eitherPlace, mayHere } from '../places/planning.ts'
import { type Counted, imageList, pullLines, pushLines, registryPath, type ShownTag, tagList } from './image_view.ts'
import { IMAGE, inContainerRepositoryPage, inContainerTagPage, inRegistryPage, REGISTRY } from './scope.ts'

async function countedIn(db: Db, rows: readonly RepositoryRow[]): Promise<Counted> {
  const ids = rows.map(({ id }) => id)
  return { tags: await tagCountsOf(db, ids), sizes: await blobSizesOf(db, ids) }
}

const locationOf = (url: string, image: string): string => `${new URL(url).host}/${image}`

export const showContainerRegistry = pageEndpoint({
  route: `GET ${REGISTRY}`,
  summary: 'Show the images of a project',
  scope: inRegistryPage,
  can: 'read_container_image',
  params: listParams,
  async run(ctx) {
    const { db, actor, project, params } = ctx
    const { rows, links } = await listPage(ctx, repositoriesOf(db, project.id), params)
    const location = locationOf(ctx.url, project.full_path.toLowerCase())
    const maySet = mayHere(ctx, 'admin_project')
    const lines =
      mayHere(ctx, 'create_container_image') &&
      html`<section class="section"><h2>Push an image</h2><p class="muted">The password is a <a href="/-/profile/personal_access_tokens">personal access token</a> with the scope <code>write_registry</code>. Names below <code>${location}</code> may have two parts more. The <a href="/help/container_registry">handbook</a> says how a job pushes.</p>${linesView(pushLines(location))}</section>`
    return page(ctx, {
      title: 'Container registry',
      place: projectPlace(actor, project, 'container_registry'),
      heading: 'own',
      scripts: ['lists.js'],
      body: html`<div class="heading"><h1>Container registry</h1>${maySet && html`<div class="row"><a class="btn btn-sm" href="${projectPath(project, '/-/settings/repository#expiration_policy')}">Expiration policy</a></div>`}</div>
${rows.length > 0 ? imageList(rows, await countedIn(db, rows), false) : empty({ icon: 'container', title: 'No images', says: 'Images and artifacts that are pushed to the project stand here, each with its tags.' })}${links}${lines}`,
    })
  },
})

export const showGroupContainerRegistries = pageEndpoint({
  route: 'GET /groups/:group_path/-/container_registries',
  summary: 'Show the images of the projects in a group and below it',
  scope: inGroupPage,
  can: 'read_group_container_images',
  params: listParams,
  async run(ctx) {
    const { db, actor, group, params } = ctx
    const { rows, links } = await listPage(ctx, repositoriesOfGroup(db, actor, group.id), params)
    return page(ctx, {
      title: 'Container registry',
      place: eitherPlace(actor, ctx, 'container_registries'),
      scripts: ['lists.js'],
      body: html`${rows.length > 0 ? imageList(rows, await countedIn(db, rows), true) : empty({ icon: 'container', title: 'No images', says: html`Images that are pushed to the projects of the group stand here. The <a href="/help/container_registry">handbook</a> says how.` })}${links}`,
    })
  },
})

export const showContainerImage = pageEndpoint({
  route: `GET ${IMAGE}`,
  summary: 'Show an image with its tags',
  scope: inContainerRepositoryPage,
  can: 'read_container_image',
  params: listParams,
  async run(ctx) {
    const { db, actor, project, repository, params } = ctx
    const { rows, total, links } = await listPage(ctx, tagsIn(db, repository.id), params)
    const tags = (await presentAll(ContainerTagDetails, ctx, rows)) as unknown as readonly ShownTag[]
    const { sizes } = await countedIn(db, [repository])
    const name = imageNameOf(repository)
    const base = registryPath(project, `/${repository.id}`)
    const location = tags[0]?.location ?? locationOf(ctx.url, name)
    const mayDeleteTags = mayHere(ctx, api.deleteContainerTag.can) && (await imageAllows(ctx, project.id, repository.name, 'delete'))
    const rights = await tagRights(ctx, project.id)
    const deletable = new Set(mayDeleteTags ? tags.map(tag => tag.name).filter(tag => rights.allows(tag, 'delete')) : [])
    const mayDelete = mayDeleteTags && mayHere(ctx, api.deleteContainerRepository.can)
    return page(ctx, {
      title: name,
      place: projectPlace(actor, project, 'container_registry'),
      heading: 'own',
      scripts: ['lists.js'],
      body: html`<div class="heading"><h1>${name}</h1>${mayDelete && html`<div class="row">${actionButton(ctx, { to: `${base}/delete`, face: html`${icon('trash')} Delete`, label: 'Delete the image', look: 'danger', asks: `Delete ${name} with all its tags? Who pulls it finds nothing any more.` })}</div>`}</div>
<div class="row facts item-facts"><span>${total ?? 'Many'} ${total === 1 ? 'tag' : 'tags'}</span><span>${bytesText(sizes.get(repository.id) ?? 0)} in all, what tags share counted once</span><span>first pushed ${time(repository.created_at)}</span></div>
${tags.length > 0 ? tagList(ctx, base, tags, deletable) : empty({ icon: 'tag', title: 'No tags', says: 'What no tag names any more goes a week later.' })}${links}
<section class="section"><h2>Pull</h2>${linesView(pullLines(location, project.visibility !== 'public'))}</section>`,
    })
  },
})

interface InImage {
  readonly project: ProjectWithRole
  readonly repository: RepositoryRow
}

const imagePath = ({ project, repository }: InImage): string => registryPath(project, `/${repository.id}`)

export const imageChanges = {
  remove: action<InImage>({
    route: `POST ${IMAGE}/delete`,
    of: api.deleteContainerRepository,
    scope: inContainerRepositoryPage,
    next: ({ project }) => registryPath(project),
    notice: 'The image was deleted.',
  }),
  removeTag: action<InImage>({
    route: `POST ${IMAGE}/tags/:tag_name/delete`,
    of: api.deleteContainerTag,
    scope: inContainerTagPage,
    next: imagePath,
    notice: 'The tag was deleted.',
  }),
  removeTags: formEndpoint({
    route: `POST ${IMAGE}/bulk_destroy`,
    summary: 'Delete some tags of an image',
    scope: inContainerRepositoryPage,
    can: 'destroy_container_image',
    params: { tags: optional(Type.Array(text('Name of a tag', { maxLength: 128 }), { description: 'Names of tags', maxItems: 100 })) },
    async run(ctx) {
      const removed = await removeTags(ctx, ctx.repository, ctx.params.tags ?? [])
      const says =
        removed === 0 ? 'No tags were chosen: nothing was deleted.' : `${removed} ${removed === 1 ? 'tag was' : 'tags were'} deleted.`
      return done(ctx, imagePath(ctx), says)
    },
  }),
}
