/** Commits that reach a default branch: they close issues, and issues and merge requests that they name are told of them. */
import { sql } from 'kysely'
import { allows } from '../access/abilities.ts'
import { findActingUser } from '../access/credentials.ts'
import { transact } from '../db/transact.ts'
import type { Events } from '../events/events.ts'
import type { RecordedEvent } from '../events/recorded.ts'
import { listCommits } from '../git/commits/history.ts'
import type { Commit } from '../git/objects/commit-object.ts'
import { resolveCommit } from '../git/objects/objects.ts'
import { zeroId } from '../git/objects/oid.ts'
import { findIssue, isOwnIssue } from '../issues/scope.ts'
import { updateIssue } from '../issues/update.ts'
import { type Context, type Deps, outsideRequest } from '../kernel/context.ts'
import { closedByText, type Named } from '../markdown/closing.ts'
import { placeOf } from '../markdown/links.ts'
import { issuesNamed, mergeRequestsNamed, type ThingName } from '../markdown/named.ts'
import { splitAtReferences } from '../markdown/references.ts'
import { insertNotes } from '../notes/write.ts'
import { visibleProject } from '../projects/queries.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../projects/scope.ts'
import { findRepository } from '../repository/store.ts'
import { thingAt } from './things.ts'

/** The most commits of one push that are read, the newest ones: whoever brings more brings history. */
const MOST_COMMITS = 100
/** The most issues that one push closes, and that it tells of itself. */
const MOST_ISSUES = 100

/** Reads what a push has brought to the default branch, as the one who pushed. Safe to be repeated. */
export async function heedCommits(
  deps: Deps,
  { moves }: Events['repository.updated'],
  { actor_id, project_id }: Pick<RecordedEvent, 'actor_id' | 'project_id'>,
): Promise<void> {
  const { db } = deps.database
  const user = actor_id === null ? undefined : await findActingUser(db, String(actor_id))
  if (!user || project_id === null) return
  const ctx = outsideRequest(deps, db, { user, credential: undefined, sudoBy: undefined })
  const project = await visibleProject(db, ctx.actor, String(project_id))
  if (!project || project.archived) return
  const move = moves.find(({ ref }) => ref === `refs/heads/${project.default_branch}`)
  const repository = move && move.new !== zeroId ? await findRepository(deps.storages, project) : undefined
  const tip = repository && (await resolveCommit(repository, move!.new))
  if (!tip) return
  // History that was replaced may have been packed away since.
  const known = move!.old === zeroId ? undefined : await resolveCommit(repository, move!.old)
  const commits = await listCommits(repository, { from: [tip], ...(known ? { except: [known] } : {}), limit: MOST_COMMITS })
  await transact(db, tx => heed({ ...ctx, db: tx }, project, commits.toReversed()))
}

async function heed(ctx: Context, project: ProjectWithRole, commits: readonly Commit[]): Promise<void> {
  await tellMentioned(ctx, project, commits)
  if (!project.autoclose_referenced_issues) return
  const merging = await mergeCommits(ctx, project, commits)
  const closed = commits
    // Contract: what a merge request closes is closed by its merge, and not by the message that the server gave it (public behaviour).
    .filter(({ id }) => !merging.has(id))
    .flatMap(({ id, message }) =>
      closedByText(message).flatMap(named => {
        const name = nameOf(ctx, project, named)
        return name ? [{ id, name }] : []
      }),
    )
    .slice(0, MOST_ISSUES)
  const found = await issuesNamed(
    ctx,
    closed.map(({ name }) => name),
  )
  // In the order of their ids, so that two pushes never wait for each other.
  for (const { project_id, iid, state, path } of found.sort((a, b) => a.id - b.id)) {
    if (state !== 'opened') continue
    const home = project_id === project.id ? project : await findProject(ctx.db, ctx.actor, String(project_id))
    const issue = await findIssue(ctx, home, iid)
    const subject = { ...projectSubject(home), own: isOwnIssue(issue, ctx.actor.user?.id) }
    const commit = closed.find(({ name }) => name.iid === iid && name.path.toLowerCase() === path.toLowerCase())?.id
    // Elsewhere people could read of commits that they may not see.
    const closer = commit !== undefined && home === project ? { commit } : undefined
    if (allows(ctx.actor, 'update_issue', subject) === 'yes') await updateIssue(ctx, home, issue, { state_event: 'close', closer })
  }
}

/** Those of the commits that merge requests of the project were merged by. */
async function mergeCommits({ db }: Context, project: ProjectWithRole, commits: readonly Commit[]): Promise<ReadonlySet<string>> {
  const ids: readonly string[] = commits.map(({ id }) => id)
  const rows = await db
    .selectFrom('merge_requests')
    .select('merge_commit_sha')
    .where('project_id', '=', project.id)
    .where(sql<boolean>`merge_commit_sha = any(${ids})`)
    .execute()
  return new Set(rows.map(row => row.merge_commit_sha as string))
}

/** The issue that is named in a commit of the project, by reference or by address. */
function nameOf({ url }: Context, project: ProjectWithRole, named: Named): ThingName | undefined {
  if ('address' in named) return thingAt(url, named.address, 'issue')
  return { path: placeOf(named, project) as string, iid: Number(named.name) }
}

/** Writes a note about each issue and each merge request that a commit names, once for each commit. */
async function tellMentioned(ctx: Context, project: ProjectWithRole, commits: readonly Commit[]): Promise<void> {
  const named = (kind: 'issue' | 'merge_request') =>
    commits
      .flatMap(({ id, message }) =>
        splitAtReferences(message).flatMap(piece =>
          typeof piece === 'object' && piece.kind === kind ? [{ id, name: nameOf(ctx, project, piece) as ThingName }] : [],
        ),
      )
      .slice(0, MOST_ISSUES)
  const [toIssues, toMergeRequests] = [named('issue'), named('merge_request')]
  const issues = await issuesNamed(
    ctx,
    toIssues.map(({ name }) => name),
  )
  const mergeRequests = await mergeRequestsNamed(
    ctx,
    toMergeRequests.map(({ name }) => name),
  )
  await tell(ctx, project, toIssues, issues, id => ({ issue_id: id }))
  await tell(ctx, project, toMergeRequests, mergeRequests, id => ({ merge_request_id: id }))
}

async function tell(
  ctx: Context,
  project: ProjectWithRole,
  mentions: readonly { readonly id: string; readonly name: ThingName }[],
  found: readonly { readonly id: number; readonly iid: number; readonly path: string; readonly project_id: number }[],
  keyOf: (id: number) => { readonly issue_id: number } | { readonly merge_request_id: number },
): Promise<void> {
  await insertNotes(
    ctx.db,
    mentions.flatMap(({ id, name }) =>
      found
        .filter(thing => thing.iid === name.iid && thing.path.toLowerCase() === name.path)
        // Elsewhere people could read of commits that they may not see.
        .filter(thing => thing.project_id === project.id)
        .map(thing => ({
          ...keyOf(thing.id),
          author_id: ctx.actor.user!.id,
          action: 'mention',
          body: `mentioned in commit ${id}`,
          named_commit: id,
          created_at: ctx.now,
        })),
    ),
  )
}
