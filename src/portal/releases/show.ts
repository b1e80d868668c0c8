/** The pages of releases: the list, one release (its notes, to be printed too), and where permanent addresses of the newest lead. */
import { listReleases } from '../../delivery/releases/endpoints.ts'
import { Release } from '../../delivery/releases/entity.ts'
import { inReleasePage } from '../../delivery/releases/pages/scope.ts'
import { latestReleaseOf } from '../../delivery/releases/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { renderTexts } from '../items/texts.ts'
import { releaseBody, releaseFacts, releaseItem, releasePath, type ShownLink, type ShownRelease } from './release_view.ts'

type Caller = Context & { readonly project: ProjectWithRole }

const mayIn = ({ actor, project }: Caller, ability: Ability): boolean => allows(actor, ability, projectSubject(project)) === 'yes'

/** The notes of releases as HTML, together. */
const notesOf = (ctx: Caller, releases: readonly ShownRelease[]) =>
  renderTexts(
    ctx,
    ctx.project,
    releases.map(({ description }) => description ?? ''),
  )

export const showReleases = pageEndpoint({
  route: 'GET /:project_path/-/releases',
  summary: 'Show the releases of a project',
  scope: inProjectPage,
  can: 'read_release',
  // The commits of a page of releases are read by one process.
  cost: 'heavy',
  params: listParams,
  async run(ctx) {
    const { db, project, params, now, actor } = ctx
    const [found, latest] = await Promise.all([
      answerOf(ctx, listReleases, { page: params.page, per_page: params.per_page }),
      latestReleaseOf(db, project.id, now),
    ])
    const releases = found.rows as readonly ShownRelease[]
    const notes = await notesOf(ctx, releases)
    const create = mayIn(ctx, 'create_release')
      ? html`<a class="btn btn-primary" href="${projectPath(project, '/-/releases/new')}" data-hotkey="c">New release</a>`
      : undefined
    const isLatest = ({ tag_name, released_at, name }: ShownRelease) =>
      latest !== undefined &&
      (tag_name === undefined ? latest.released_at === released_at && latest.name === name : latest.tag === tag_name)
    return page(ctx, {
      title: 'Releases',
      place: projectPlace(actor, project, 'releases'),
      heading: 'own',
      body: html`<div class="heading"><h1>Releases</h1>${create && html`<div class="row">${create}</div>`}</div>
${
  releases.length > 0
    ? html`<div class="stack">${releases.map((release, index) => releaseItem(release, { project, notes: notes[index] ?? html``, isLatest: isLatest(release) }))}</div>`
    : empty({
        icon: 'rocket',
        title: 'No releases yet',
        says: 'A release is a version for others: notes, files and evidence at a tag.',
        ...(create === undefined ? {} : { action: create }),
      })
}${found.links}`,
    })
  },
})

export const showRelease = pageEndpoint({
  route: 'GET /:project_path/-/releases/:tag_name',
  summary: 'Show a release',
  scope: inReleasePage,
  // As in the API: a single release, unlike the list, requires the right to read the code.
  can: 'read_code',
  cost: 'heavy',
  async run(ctx) {
    const { db, project, release, now, actor } = ctx
    const [[shown], latest] = await Promise.all([presentAll(Release, ctx, [release]), latestReleaseOf(db, project.id, now)])
    const json = shown as unknown as ShownRelease
    const [notes] = await notesOf(ctx, [json])
    const path = (rest: string) => releasePath(project, release.tag, rest)
    const mayUpdate = mayIn(ctx, 'update_release')
    const buttons = html`${mayUpdate && html`<a class="btn btn-sm" href="${path('/edit')}" data-hotkey="e">${icon('pencil')} Edit</a><a class="btn btn-sm" href="${path('/links/new')}">${icon('link')} Add a link</a>`}${mayIn(ctx, 'create_release') && tierCovers(ctx.tier, 'premium') && actionButton(ctx, { to: path('/evidence'), face: 'Collect evidence' })}${mayIn(ctx, 'destroy_release') && actionButton(ctx, { to: path('/delete'), face: icon('trash'), label: 'Delete the release', look: 'bare', asks: `Delete the release ${release.name ?? release.tag}? Its tag stays.` })}`
    const linkButtons = mayUpdate
      ? ({ id, name }: ShownLink) =>
          html`<a class="bar-button" href="${path(`/links/${id}/edit`)}" aria-label="Edit the link ${name}" title="Edit">${icon('pencil')}</a>${actionButton(ctx, { to: path(`/links/${id}/delete`), face: icon('trash'), look: 'bare', label: `Delete the link ${name}`, asks: `Delete the link ${name}?` })}`
      : undefined
    const frame = { project, notes: notes ?? html``, isLatest: latest?.id === release.id, linkButtons }
    return page(ctx, {
      title: json.name,
      place: projectPlace(actor, project, 'releases'),
      heading: 'own',
      body: html`<div class="heading"><h1>${json.name}</h1><div class="row">${buttons}</div></div>
${releaseFacts(json, frame)}<div class="release"><h2 class="sr-only">Release notes</h2>${releaseBody(json, frame)}</div>`,
    })
  },
})

/** The newest release, or a page below it. */
const latestAt = (route: 'latest' | 'latest/*suffix_path') =>
  pageEndpoint({
    route: `GET /:project_path/-/releases/permalink/${route}`,
    summary: route === 'latest' ? 'Be led to the page of the newest release' : 'Be led to something of the newest release',
    scope: inProjectPage,
    // As in the API: the address that it leads to names the tag.
    can: 'read_code',
    async run({ db, project, now, request }) {
      const release = await latestReleaseOf(db, project.id, now)
      if (!release) throw notFound('Release')
      const [, rest = ''] = /\/permalink\/latest([^?]*)/.exec(request.address) ?? []
      return redirect(releasePath(project, release.tag, rest))
    },
  })

export const showLatest = latestAt('latest')
export const showOfLatest = latestAt('latest/*suffix_path')
