/** The pages of tags. */
import { tagRights } from '../../../code/protected_tags/rights.ts'
import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { inTagPage } from '../../../code/repository/tags/scope.ts'
import { createTag, deleteTag, listRepositoryTags } from '../../../delivery/tags/endpoints.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../../platform/pages/answers.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listParams } from '../../../platform/pages/lists.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { repositoryOf } from '../live.ts'
import { type ListedTag, tagList } from './tags_view.ts'

export const showTags = pageEndpoint({
  route: 'GET /:project_path/-/tags',
  summary: 'Show the tags of a repository',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ...listParams,
    search: optional(text('Part of the name; `^x` for names that begin with x, `x$` for those that end so', { maxLength: 255 })),
    order_by: OneOf(['name', 'updated'], { description: 'What the list is ordered by', default: 'updated' }),
  },
  async run(ctx) {
    const { project, repository, params, actor } = ctx
    const { search = '', order_by } = params
    const found = await answerOf(ctx, listRepositoryTags, { ...params, search, sort: order_by === 'name' ? 'asc' : 'desc' })
    const mayPush = allows(actor, 'push_code', projectSubject(project)) === 'yes'
    const rights = await tagRights(ctx, project)
    const base = tagsPath(project)
    return page(ctx, {
      title: 'Tags',
      place: projectPlace(actor, project, 'tags'),
      heading: 'own',
      live: [repositoryOf(project)],
      body: html`<div class="heading"><h1>Tags</h1>${mayPush && repository && html`<div class="row"><a class="btn btn-primary" href="${base}/new">New tag</a></div>`}</div>
<form class="filter-bar" action="${base}"><label class="sr-only" for="search">Part of the name</label><input class="form-control" type="search" id="search" name="search" value="${search}" placeholder="Part of the name"><label class="sr-only" for="order_by">Order</label><select class="form-control form-select" id="order_by" name="order_by"><option value="updated">Newest first</option><option value="name"${order_by === 'name' && html` selected`}>By name</option></select><button class="btn">Search</button></form>
${livePart(
  'tags',
  repositoryOf(project),
  html`${
    found.rows.length > 0
      ? html`<section class="section" aria-label="${found.total ?? 'Many'} tags">${tagList(
          { ctx, project, mayDelete: ({ name }) => mayPush && rights.mayDelete(name) },
          found.rows as readonly ListedTag[],
        )}</section>`
      : empty({
          icon: 'tag',
          title: 'No tags',
          says: search === '' ? 'A tag names a commit for good: a version that was released, say.' : 'No tag matches.',
        })
  }${found.links}`,
)}`,
    })
  },
})

const tagsPath = (project: ProjectWithRole): string => projectPath(project, '/-/tags')

const creation = form({
  path: '/:project_path/-/tags/new',
  summary: 'Create a tag',
  scope: inRepositoryPage,
  of: createTag,
  fields: () => [
    { name: 'tag_name', label: 'Name', hint: 'For example v1.0.0.', autofocus: true },
    { name: 'ref', label: 'Of', hint: 'A branch, a tag or a commit.' },
    { name: 'message', label: 'Message', hint: 'With a message the tag says who made it, and when.' },
  ],
  values: ({ project, request }) => ({
    ref: new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('ref') ?? project.default_branch ?? '',
  }),
  next: ({ project }) => tagsPath(project),
  notice: 'The tag was created.',
  button: 'Create tag',
  cancel: ({ project }) => tagsPath(project),
  frame: ({ actor, project }) => ({ title: 'New tag', place: projectPlace(actor, project, 'tags') }),
})
export const showNewTag = creation.show
export const submitNewTag = creation.submit

export const dropTag = action({
  route: 'POST /:project_path/-/tags/:tag_name/delete',
  of: deleteTag,
  scope: inTagPage,
  next: ({ project }) => tagsPath(project),
  notice: 'The tag was deleted.',
})
