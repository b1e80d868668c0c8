/** The pages of commits: lists, and each with what it changed. */
import { Readable } from 'node:stream'
import { Commit } from '../../../code/repository/commits/entity.ts'
import { commitsMatching } from '../../../code/repository/commits/queries.ts'
import { withVisibleNames } from '../../../collaboration/notes/items/named.ts'
import { accountsByEmail } from '../../../identity/emails/queries.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { endsOf, type Repository, refsContaining, streamDiff, streamPatch } from '../../../platform/git/index.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import type { PageRequest } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ParamsOf } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { askFrame, page, part } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { noteableCommit } from '../../../review/commit_comments/noteable.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { feedLink } from '../../atom/link.ts'
import { commentSection, frameOf } from '../../commit_comments/comments.ts'
import { lineThreadsOf, withLineThreads } from '../../commit_comments/lines.ts'
import { commitCommentsOf } from '../../commit_comments/live.ts'
import { timelineOf } from '../../items/timeline.ts'
import { timelineView } from '../../items/timeline_view.ts'
import { revisionPage } from '../addresses.ts'
import { filesAlone } from '../diffs/answer.ts'
import { diffScript, diffView } from '../diffs/diff_view.ts'
import { shownDiff } from '../diffs/load.ts'
import { diffParams, keepingLook, lookOf } from '../diffs/look.ts'
import { pathCrumbs } from '../files/tree_view.ts'
import { repositoryOf, topicsOfRevision } from '../live.ts'
import { inRevisionPage, type RevisionPath } from '../scope.ts'
import { switchMenu } from '../switcher/menu.ts'
import { commitFacts, containingRefs } from './commit_view.ts'
import { commitList, signedAmong } from './commits_view.ts'
import { commitsFilter, commitsFilterParams, isNarrowed, wrongDaysOf } from './lists/commits_filter.ts'
import { formerFileOf, formerNameLink } from './lists/former_name.ts'
import { accountsOf } from './people.ts'
import { pipelineOfEach, pipelinesOfCommit } from './pipelines.ts'
import { inCommitOrText, inCommitPage } from './scope.ts'

export const showCommits = pageEndpoint({
  route: 'GET /:project_path/-/commits/*revision_path',
  cost: 'walk',
  summary: 'Show the commits of a revision, or those that changed a path',
  scope: inRevisionPage,
  can: 'read_code',
  params: { ...listParams, ...commitsFilterParams },
  async run(ctx) {
    const { project, revision, params } = ctx
    const { ref, path } = revision
    const place = projectPlace(ctx.actor, project, 'commits')
    askFrame(ctx, place)
    const wrong = wrongDaysOf(params)
    const { view, links, earlier } = wrong.length > 0 ? nothing : await shownCommits(ctx)
    const base = revisionPage(project, 'commits', ref, path)
    return page(ctx, {
      title: `Commits of ${path === '' ? ref : `${path} at ${ref}`}`,
      place,
      heading: 'own',
      live: topicsOfRevision(project, ref),
      feed: await feedLink(ctx, `${project.full_name}:${ref} commits`, `${base}.atom`),
      ...(wrong.length > 0 && { status: 422 }),
      body: html`<div class="heading"><h1>Commits</h1>${path === '' && html`<div class="row"><a class="btn btn-sm" href="${revisionPage(project, 'network', ref)}">${icon('git-branch')} Graph</a></div>`}</div><div class="heading"><div class="row">${switchMenu({ project, kind: 'commits', ref, path })}${pathCrumbs(project, ref, path)}</div></div>
${commitsFilter(base, params, wrong)}
${livePart('commits', repositoryOf(project), html`${view}${earlier}${links}`)}`,
    })
  },
})

/** Where the filter is wrong. */
const nothing = { view: undefined, links: undefined, earlier: undefined }

type CommitsInput = Context & {
  readonly project: ProjectWithRole
  readonly repository: Repository
  readonly revision: RevisionPath
  readonly params: PageRequest & Partial<ParamsOf<typeof commitsFilterParams>>
}

/** A page of the commits, and at the end of those of a file its former name. */
async function shownCommits(ctx: CommitsInput) {
  const { project, repository, revision, params } = ctx
  const { commit, path } = revision
  const { search, author, since = '', until = '' } = params
  const matching = await commitsMatching(repository, project, {
    ref_name: commit,
    path,
    message: search,
    author,
    since: since === '' ? undefined : `${since}T00:00:00Z`,
    until: until === '' ? undefined : `${until}T23:59:59Z`,
  })
  const found = await listPage(ctx, matching, params)
  const commits = await presentAll(Commit, ctx, found.rows)
  const ids = commits.map(({ id }) => id)
  const [accounts, pipelines] = await Promise.all([accountsOf(ctx.db, commits), pipelineOfEach(ctx, project, ids)])
  const first = found.rows.at(-1)?.commit
  const former = path !== '' && found.isLast && first && !isNarrowed(params) ? await formerFileOf(repository, first, path) : undefined
  return {
    view:
      commits.length > 0
        ? commitList({ project, accounts, pipelines, signed: signedAmong(found.rows.map(({ commit }) => commit)) }, commits)
        : empty({ icon: 'git-commit', title: 'No commits', says: 'No commit matches.' }),
    links: found.links,
    earlier: former && formerNameLink(project, former),
  }
}

export const showCommit = pageEndpoint({
  route: 'GET /:project_path/-/commit/:sha',
  summary: 'Show a commit and what it changed; as a text where the address ends in `.patch` or `.diff`',
  scope: inCommitOrText,
  can: 'read_code',
  cost: 'heavy',
  params: diffParams,
  async run(ctx) {
    const { project, params, actor, textForm } = ctx
    const { commit, repository } = ctx.commit
    const { from, to } = endsOf(commit)
    if (textForm !== undefined) {
      const stream = textForm === 'patch' ? streamPatch(repository, commit) : streamDiff(repository, from, to)
      return { body: Readable.from(stream), headers: { 'content-type': 'text/plain; charset=utf-8' } }
    }
    const [parent] = commit.parent_ids
    const look = lookOf(ctx)
    const view = {
      diff: await shownDiff(repository, { from, to }, { look, only: params.only }),
      look,
      ends: { project, before: parent, after: commit.id },
      address: ctx.request.address,
      fileHref: ({ deleted_file, old_path, new_path }: { deleted_file: boolean; old_path: string; new_path: string }) =>
        !deleted_file
          ? revisionPage(project, 'blob', commit.id, new_path)
          : parent === undefined
            ? undefined
            : revisionPage(project, 'blob', parent, old_path),
    }
    const noteable = await withVisibleNames(ctx.db, actor, await noteableCommit(ctx, project, ctx.commit))
    const inside = { ...ctx, noteable }
    const shown = { ...view, extras: await lineThreadsOf(inside, view.diff) }
    const alone = filesAlone(ctx, shown)
    if (alone) return alone
    const [accounts, pipelines] = [
      await accountsByEmail(ctx.db, [commit.author.email, commit.committer.email]),
      await pipelinesOfCommit(ctx, project, commit.id),
    ]
    const mayPush = allows(actor, 'push_code', projectSubject(project)) === 'yes'
    const answer = await page(ctx, {
      title: commit.title || commit.id.slice(0, 8),
      place: projectPlace(actor, project, 'commits'),
      heading: 'own',
      scripts: [diffScript, 'markdown_editor.js'],
      body: html`${commitFacts({ project, commit, accounts, pipelines, mayPush })}
<section class="section"><h2>Changes</h2>${await withLineThreads(inside, diffView(shown))}</section>
<section class="section"><h2>Comments</h2>${livePart('timeline', commitCommentsOf(project), timelineView(frameOf(inside), await timelineOf(ctx, noteable)))}${await commentSection(inside)}</section>`,
    })
    return keepingLook(ctx, answer)
  },
})

/** Branches and tags that are shown. */
const MOST_REFS = 100

export const showCommitRefs = pageEndpoint({
  route: 'GET /:project_path/-/commit/:sha/refs',
  summary: 'Show the branches and tags that contain a commit',
  scope: inCommitPage,
  can: 'read_code',
  cost: 'heavy',
  async run(ctx) {
    const { project } = ctx
    const { commit, repository } = ctx.commit
    const refs = await refsContaining(repository, commit.id)
    const body = containingRefs({ project, refs: refs.slice(0, MOST_REFS), isCut: refs.length > MOST_REFS })
    if (ctx.request.headers['turbo-frame'] === 'commit-refs') return part(body)
    return page(ctx, { title: `Branches and tags with ${commit.id.slice(0, 8)}`, place: projectPlace(ctx.actor, project, 'commits'), body })
  },
})
