/** Releases of projects (releases API at 14.0). */
import Type from 'typebox'
import { choice, presentAll } from '../../platform/kernel/answer/entity.ts'
import { bytes, endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { CommaList, DateTime, described, flag, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { Release, ReleaseWithHtml } from './entity.ts'
import { askForEvidenceNow } from './evidences/commands.ts'
import { linkParams } from './links/params.ts'
import { assertMayRelease } from './protection.ts'
import { latestReleaseOf, type ReleaseRow, releaseOrders, releasesOf, releasesOfGroup } from './queries.ts'
import { inRelease } from './scope.ts'

const html = {
  include_html_description: optional(flag('The description as HTML too')),
}

const Shown = choice<ReleaseRow>([Release, ReleaseWithHtml], (_facts, params) =>
  params.include_html_description === true ? ReleaseWithHtml : Release,
)

const sort = OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'desc' })

const attributes = {
  name: optional(text('The name of the tag unless given', { maxLength: 255 })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 1_000_000 }), { description: 'Release notes, in Markdown' })),
  milestones: Type.Optional(CommaList(Type.String(), { description: 'Titles of the milestones that it completes' })),
  released_at: optional(DateTime('When it came or comes about; now unless given')),
}

export const listReleases = endpoint({
  route: 'GET /projects/:id/releases',
  summary: 'List the releases of a project',
  scope: inProject,
  can: 'read_release',
  params: { order_by: OneOf(releaseOrders, { description: 'What the list is ordered by', default: 'released_at' }), sort, ...html },
  // Contract: tools that release from within a job call this before the creation (semantic-release; document 1, Authentication rule 4).
  jobToken: true,
  answers: pageOf(Shown),
  run: ({ db, project, params }) => releasesOf(db, project.id, params),
})

// Contract: newer clients list the releases of a whole group (public behaviour after 14.0).
export const listGroupReleases = endpoint({
  route: 'GET /groups/:id/releases',
  summary: 'List the releases of the projects in a group and below it',
  scope: inGroup,
  can: 'read_group_releases',
  params: { sort },
  answers: pageOf(Release),
  run: ({ db, actor, group, params }) => releasesOfGroup(db, actor, group.id, params.sort),
})

export const getRelease = endpoint({
  route: 'GET /projects/:id/releases/:tag_name',
  summary: 'Get the release of a tag',
  scope: inRelease,
  // Contract: a single release, unlike the list, requires the right to read the code (releases API).
  can: 'read_code',
  params: html,
  answers: one(Shown),
  run: ({ release }) => release,
})

export const createRelease = endpoint({
  route: 'POST /projects/:id/releases',
  summary: 'Release a tag, which is made where there is none',
  scope: inProject,
  can: 'create_release',
  jobToken: true,
  writes: 'own',
  params: {
    tag_name: text('Name of the tag', { minLength: 1, maxLength: 255, examples: ['v1.0.0'] }),
    ...attributes,
    ref: optional(text('The branch, tag or commit of a tag that is not there yet', { maxLength: 255 })),
    assets: optional(
      described(
        'Sources and links of the release',
        Type.Object({ links: optional(described('Links', Type.Array(Type.Object(linkParams)))) }),
      ),
    ),
  },
  answers: one(Release),
  errors: ['unprocessable', 'conflict'],
  run: ctx => commands.createRelease(ctx, ctx.project, { ...ctx.params, links: ctx.params.assets?.links ?? [] }),
})

export const updateRelease = endpoint({
  route: 'PUT /projects/:id/releases/:tag_name',
  summary: 'Change a release',
  scope: inRelease,
  can: 'update_release',
  params: attributes,
  answers: one(Release),
  run: ctx => commands.updateRelease(ctx, ctx.project, ctx.release, ctx.params),
})

// Contract: answers with the deleted release, and 200 (releases API).
export const deleteRelease = endpoint({
  route: 'DELETE /projects/:id/releases/:tag_name',
  summary: 'Delete a release and keep its tag',
  scope: inRelease,
  can: 'destroy_release',
  answers: one({ name: Release.name, schema: Release.schema, present: row => row }),
  async run(ctx) {
    const [shown] = await presentAll(Release, ctx, [ctx.release])
    await commands.removeRelease(ctx, ctx.project, ctx.release)
    return shown as never
  },
})

export const collectEvidence = endpoint({
  route: 'POST /projects/:id/releases/:tag_name/evidence',
  summary: 'Collect evidence of what a release consists of',
  scope: inRelease,
  can: 'create_release',
  tier: 'premium',
  // Contract: it is collected in the background (releases API).
  answers: { kind: 'nothing', status: 202 },
  async run(ctx) {
    await assertMayRelease(ctx, ctx.project, ctx.release.tag, 'update')
    await askForEvidenceNow(ctx.db, ctx.release)
  },
})

/** Redirects to the newest release, or to a page below it. */
const latestAt = (route: 'latest' | 'latest/*suffix_path', summary: string) =>
  endpoint({
    route: `GET /projects/:id/releases/permalink/${route}`,
    summary,
    scope: inProject,
    // The address that it leads to names the tag, as a single release does.
    can: 'read_code',
    params: route === 'latest' ? {} : { suffix_path: text('What follows the tag', { examples: ['assets/links'] }) },
    answers: bytes('application/json', 302),
    async run({ db, project, now, url, request, params }) {
      const release = await latestReleaseOf(db, project.id, now)
      if (!release) throw notFound('Release')
      const [, query] = request.address.split('?')
      const suffix = (params as { suffix_path?: string }).suffix_path
      const rest = `${suffix ? `/${suffix.split('/').map(encodeURIComponent).join('/')}` : ''}${query ? `?${query}` : ''}`
      const location = `${url}/api/v4/projects/${project.id}/releases/${encodeURIComponent(release.tag)}${rest}`
      return { body: '', headers: { location } }
    },
  })

// Contract: a permanent address of the newest release (public behaviour after 14.0).
export const getLatestRelease = latestAt('latest', 'Be led to the newest release of a project')
export const getOfLatestRelease = latestAt('latest/*suffix_path', 'Be led to something of the newest release of a project')
