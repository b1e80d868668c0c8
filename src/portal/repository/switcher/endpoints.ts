/** The page that leads to the same place of another branch or tag. */
import { listBranches, listTags } from '../../../platform/git/index.ts'
import { OneOf, text } from '../../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inRevisionPage } from '../scope.ts'
import { type RefList, switchedKinds, switchList } from './menu.ts'

/** Branches, and tags, that are listed. */
const MOST_LISTED = 50

const listOf = (title: string, names: readonly string[]): RefList => ({
  title,
  names: names.slice(0, MOST_LISTED),
  more: Math.max(0, names.length - MOST_LISTED),
})

export const showSwitch = pageEndpoint({
  route: 'GET /:project_path/-/switch/*revision_path',
  summary: 'Show the branches and tags that a page can change to',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    kind: OneOf(switchedKinds, { description: 'The page to lead to', default: 'tree' }),
    search: text('Part of the name; `^x` for names that begin with x, `x$` for names that end with x', { maxLength: 255, default: '' }),
  },
  async run(ctx) {
    const { project, repository, revision, params } = ctx
    const { kind, search } = params
    const options = { search, order: 'updated', sort: 'desc' } as const
    const [branches, tags] = await Promise.all([listBranches(repository, options), listTags(repository, options)])
    const namesOf = (refs: readonly { readonly name: string }[]) => refs.map(({ name }) => name)
    const lists = [listOf('Branches', namesOf(branches)), listOf('Tags', namesOf(tags))]
    const { ref, path } = revision
    return page(ctx, {
      title: 'Change the branch or tag',
      place: projectPlace(ctx.actor, project, 'files'),
      width: 'medium',
      body: html`<p class="muted">${path === '' ? `Now: ${ref}` : `Now: ${path} at ${ref}`}</p><div class="switch-page">${switchList({ project, kind, ref, path }, search, lists)}</div>`,
    })
  },
})
