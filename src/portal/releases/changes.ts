/** Forms and buttons of releases. */

import Type from 'typebox'
import { collectEvidence, createRelease, deleteRelease, updateRelease } from '../../delivery/releases/endpoints.ts'
import { createReleaseLink, deleteReleaseLink, updateReleaseLink } from '../../delivery/releases/links/endpoints.ts'
import { inReleaseLinkPage } from '../../delivery/releases/links/scope.ts'
import { inReleasePage } from '../../delivery/releases/pages/scope.ts'
import { milestonesOfReleases, type ReleaseRow } from '../../delivery/releases/queries.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { optional, text, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { formEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { placeOfProject } from '../../spaces/places/places.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { draftFacts, draftOf } from './draft.ts'
import { releasePath } from './release_view.ts'

interface InProject {
  readonly project: ProjectWithRole
}
interface InRelease extends InProject {
  readonly release: ReleaseRow
}

/** Milestones that are offered. */
const MOST = 200

/** Titles as a form sends them: none is an empty one. */
const milestones = optional(
  Type.Array(text('A title', { maxLength: 255 }), { description: 'Titles of the milestones that it completes', maxItems: MOST }),
)

const withoutEmpty = (titles: unknown): readonly string[] => ((titles as readonly string[] | undefined) ?? []).filter(title => title !== '')

/** The milestones that a release may have, open ones first; `chosen` are among them. */
async function milestoneTitles({ db, tier }: Context, project: ProjectWithRole, chosen: readonly string[]) {
  const include_parent_milestones = tierCovers(tier, 'premium')
  const rows = await milestonesMatching(db, placeOfProject(project), { include_parent_milestones })
    .clearOrderBy()
    .orderBy('milestones.state')
    .orderBy('milestones.id', 'desc')
    .limit(MOST)
    .execute()
  const titles = [...new Set([...chosen, ...rows.map(({ title }) => title)])]
  return titles.map(title => [title, title] as const)
}

const place = ({ actor, project }: Context & InProject) => projectPlace(actor, project, 'releases')

const frame = (title: string) => (ctx: Context & InProject) => ({ title, place: place(ctx), scripts: ['markdown_editor.js'] })

async function notesFields(ctx: Context & InProject, chosen: readonly string[]): Promise<readonly FieldSpec[]> {
  const choices = await milestoneTitles(ctx, ctx.project, chosen)
  return [
    { name: 'name', label: 'Name', hint: 'That of the tag unless given.' },
    ...(choices.length > 0 ? [{ name: 'milestones', label: 'Milestones', control: 'checkboxes', hint: '', choices } as const] : []),
    { name: 'released_at', label: 'Date of the release, UTC', hint: 'Now unless given; a later one makes it an upcoming release.' },
    { name: 'description', label: 'Release notes', control: 'markdown', base: projectPath(ctx.project, '/-'), hint: '' },
  ]
}

/** `Handbook https://example.com/handbook.pdf` as a link, line by line. */
function linksOf(lines: unknown): readonly { readonly name: string; readonly url: string }[] {
  return String(lines ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const url = line.split(/\s/).at(-1) as string
      const name = line.slice(0, -url.length).trim()
      if (name === '' || !/^[^:]+:\/\/./.test(url))
        throw invalid({ links: [`has a line that is no name with an address: ${line.slice(0, 100)}`] })
      return { name, url }
    })
}

const DRAFT = '/:project_path/-/releases/draft'

const creation = form<InProject>({
  path: '/:project_path/-/releases/new',
  summary: 'Create a release',
  scope: inProjectPage,
  of: createRelease,
  instead: {
    of: ['assets', 'milestones'],
    params: { milestones, links: optional(text('Each on a line: a name, and an address', { maxLength: 100_000 })) },
    adapt: async (_ctx, { links, ...params }) => ({
      ...params,
      milestones: withoutEmpty(params.milestones),
      assets: { links: linksOf(links) },
    }),
  },
  async fields(ctx) {
    return [
      { name: 'tag_name', label: 'Tag', hint: 'One that there is, or a new one: v1.0.0, say.', autofocus: true },
      { name: 'ref', label: 'What a new tag is created from', hint: 'A branch, a tag or a commit. Not needed for a tag that there is.' },
      ...(await notesFields(ctx, [])),
      {
        name: 'links',
        label: 'Links to files',
        control: 'textarea',
        hint: 'Each on a line: a name, and an address. Types and paths are set afterwards.',
        placeholder: 'Handbook https://example.com/handbook.pdf',
      },
    ]
  },
  values: ({ project, request }) => {
    const given = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
    return { tag_name: given.get('tag_name') ?? '', ref: given.get('ref') ?? project.default_branch ?? '' }
  },
  next: ({ project }, { tag }: ReleaseRow) => releasePath(project, tag),
  cancel: ({ project }) => projectPath(project, '/-/releases'),
  notice: 'The release was created.',
  button: 'Create release',
  second: ({ project }) => ({ label: 'Draft the notes', to: projectPath(project, '/-/releases/draft') }),
  frame: frame('New release'),
})

/** Answers the form with all that was typed, and the notes drafted below what there were. */
const draftNotes = formEndpoint({
  route: `POST ${DRAFT}`,
  summary: 'Draft the notes of a release from what was merged and closed',
  scope: inProjectPage,
  can: 'create_release',
  bodyLimit: 4 * 1024 * 1024,
  params: {
    tag_name: text('Name of the tag', { maxLength: 255, default: '' }),
    ref: text('What a new tag is created from', { maxLength: 255, default: '' }),
    name: text('Name of the release', { maxLength: 255, default: '' }),
    milestones,
    released_at: text('When it is released', { maxLength: 50, default: '' }),
    description: text('Notes so far', { maxLength: 1_000_000, default: '' }),
    links: text('Links, each on a line', { maxLength: 100_000, default: '' }),
  },
  async run(ctx) {
    const { project, params } = ctx
    const chosen = withoutEmpty(params.milestones)
    const draft = draftOf(await draftFacts(ctx, project, chosen))
    const description = params.description.trim() === '' ? draft : `${params.description.trimEnd()}\n\n${draft}`
    const values: Values = { ...params, milestones: chosen, description }
    const shown = await creation.embed(ctx, projectPath(project, '/-/releases/new'), values)
    return page(ctx, { ...frame('New release')(ctx), width: 'medium', body: shown })
  },
})

const changing = form<InRelease>({
  path: '/:project_path/-/releases/:tag_name/edit',
  summary: 'Change a release',
  scope: inReleasePage,
  of: updateRelease,
  instead: {
    of: ['milestones'],
    params: { milestones },
    adapt: async (_ctx, params) => ({ ...params, milestones: withoutEmpty(params.milestones) }),
  },
  fields: async ctx => notesFields(ctx, await chosenTitles(ctx)),
  values: async ctx => {
    const { name, description, released_at } = ctx.release
    return { name, description, released_at, milestones: await chosenTitles(ctx) }
  },
  next: ({ project, release }) => releasePath(project, release.tag),
  cancel: ({ project, release }) => releasePath(project, release.tag),
  notice: 'The release was changed.',
  button: 'Save',
  frame: frame('Edit release'),
})

const chosenTitles = async ({ db, release }: Context & InRelease): Promise<string[]> =>
  ((await milestonesOfReleases(db, [release.id])).get(release.id) ?? []).map(({ milestone }) => milestone.title)

const back = ({ project, release }: InRelease): string => releasePath(project, release.tag)

const linkFields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', autofocus: true, hint: '' },
  { name: 'url', label: 'Address', hint: 'http, https or ftp.' },
  { name: 'link_type', label: 'Type', hint: '' },
  { name: 'filepath', label: 'Permanent path below the release', hint: 'Such as `/bin/linux`.' },
]

const newLink = form<InRelease>({
  path: '/:project_path/-/releases/:tag_name/links/new',
  summary: 'Add a link to a release',
  scope: inReleasePage,
  of: createReleaseLink,
  fields: () => linkFields,
  next: back,
  cancel: back,
  notice: 'The link was added.',
  button: 'Add link',
  frame: frame('New link of a release'),
})

const link = form<
  InRelease & {
    readonly link: { readonly name: string; readonly url: string; readonly link_type: string; readonly filepath: string | null }
  }
>({
  path: '/:project_path/-/releases/:tag_name/links/:link_id/edit',
  summary: 'Change a link of a release',
  scope: inReleaseLinkPage,
  of: updateReleaseLink,
  fields: () => linkFields,
  values: ({ link: { name, url, link_type, filepath } }) => ({ name, url, link_type, filepath }),
  next: back,
  cancel: back,
  notice: 'The link was changed.',
  button: 'Save',
  frame: frame('Edit link of a release'),
})

const button = (path: 'delete' | 'evidence', of: typeof deleteRelease, next: (ctx: InRelease) => string, notice: string) =>
  action({ route: `POST /:project_path/-/releases/:tag_name/${path}`, of, scope: inReleasePage, next, notice })

export const releaseChanges = {
  showNew: creation.show,
  create: creation.submit,
  draftNotes,
  showEdit: changing.show,
  edit: changing.submit,
  showNewLink: newLink.show,
  addLink: newLink.submit,
  showLink: link.show,
  editLink: link.submit,
  removeLink: action({
    route: 'POST /:project_path/-/releases/:tag_name/links/:link_id/delete',
    of: deleteReleaseLink,
    scope: inReleaseLinkPage,
    next: back,
    notice: 'The link was deleted.',
  }),
  remove: button(
    'delete',
    deleteRelease,
    ({ project }) => projectPath(project, '/-/releases'),
    'The release was deleted; its tag is still there.',
  ),
  evidence: button('evidence', collectEvidence, back, 'Evidence is being collected; it is shown here in a moment.'),
}
