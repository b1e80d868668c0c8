/** Processes the messages of pushed commits: adds notes to the items that they mention, and closes issues from the default branch. */

import { sql } from 'kysely'
import { itemKind, type NamedItem } from '../../collaboration/item_kinds/item_kind.ts'
import type { ItemName } from '../../collaboration/item_kinds/names.ts'
import { closedByText, type Named } from '../../collaboration/markdown/closing.ts'
import { placeOf } from '../../collaboration/markdown/links.ts'
import { splitAtReferences } from '../../collaboration/markdown/references.ts'
import { itemAt } from '../../collaboration/mentions/items.ts'
import { insertNotes } from '../../collaboration/notes/writing/write.ts'
import { commitNamed, type NamedCommit, namedCommit } from '../../collaboration/system_notes/record.ts'
import { allows } from '../../platform/access/abilities.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Events } from '../../platform/events/catalog.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { type Commit, listCommits, type Repository, resolveCommits, zeroId } from '../../platform/git/index.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { type Origin, originOf } from '../../spaces/projects/facts/origin.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { updateIssue } from '../issues/changes/update.ts'
import { issuesNamed } from '../issues/queries.ts'
import { findIssue, isOwnIssue } from '../issues/scope.ts'

/** Upper bound of the commits of one push that are read, newest first; larger pushes bring existing history. */
const MOST_COMMITS = 100
/** Upper bound of the non-default branches whose commits are read. */
const MOST_BRANCHES = 20
/** Upper bound of the issues that one push closes, and of those that it leaves notes on. */
const MOST_ISSUES = 100

/** The move of a branch. */
type Move = Events['repository.updated']['moves'][number]

/** The new commits of a push: on the default branch, and on other branches if the default branch does not have them. */
interface Brought {
  readonly landed: readonly Commit[]
  readonly proposed: readonly Commit[]
}

/** Reads the new commits of a push, on behalf of the user who pushed. Idempotent. */
export async function processCommitMessages(
  deps: Deps,
  { moves }: Events['repository.updated'],
  event: Pick<RecordedEvent, 'actor_id' | 'project_id'>,
  origin: Origin = originOf(deps, event),
): Promise<void> {
  const branches = moves.filter(move => move.ref.startsWith('refs/heads/') && move.new !== zeroId)
  const ctx = branches.length === 0 ? undefined : await origin.context()
  const project = ctx && (await origin.project())
  if (!project || project.archived) return
  const repository = await findRepository(deps.storages, project)
  if (!repository) return
  const defaultRef = `refs/heads/${project.default_branch}`
  const others = branches.filter(({ ref }) => ref !== defaultRef).slice(0, MOST_BRANCHES)
  const brought = {
    landed: await commitsOf(
      repository,
      branches.filter(({ ref }) => ref === defaultRef),
    ),
    proposed: await commitsOf(repository, others, defaultRef),
  }
  if (namesAnything(brought)) await transact(ctx.db, tx => applyMessages({ ...ctx, db: tx }, project, brought))
}

/** Does any of the commits name an issue or a merge request? Most do not. */
const namesAnything = ({ landed, proposed }: Brought): boolean =>
  landed.some(({ message }) => closedByText(message).length > 0) ||
  [...landed, ...proposed].some(({ message }) => splitAtReferences(message).some(isItemReference))

/** Is this part of a text the name of an issue or a merge request? */
const isItemReference = (piece: ReturnType<typeof splitAtReferences>[number]): boolean =>
  typeof piece === 'object' && (piece.kind === 'issue' || piece.kind === 'merge_request')

/** The commits that are new on the branches, without those of the reference `known`; oldest first. */
async function commitsOf(repository: Repository, moves: readonly Move[], known?: string): Promise<Commit[]> {
  const resolve = async (names: readonly string[]) => (await resolveCommits(repository, names)).filter(id => id !== undefined)
  const from = moves.length === 0 ? [] : await resolve(moves.map(move => move.new))
  if (from.length === 0) return []
  // Replaced history may have been garbage collected since.
  const before = moves.flatMap(({ old }) => (old === zeroId ? [] : [old]))
  const except = await resolve(known === undefined ? before : [...before, known])
  const commits = await listCommits(repository, { from, ...(except.length > 0 && { except }), limit: MOST_COMMITS })
  return commits.toReversed()
}

async function applyMessages(ctx: Context, project: ProjectWithRole, { landed, proposed }: Brought): Promise<void> {
  const closing = project.autoclose_referenced_issues ? await closingIn(ctx, project, landed) : []
  await addCommitReferences(ctx, project, [...landed, ...proposed], closing)
  const found = await issuesNamed(
    ctx,
    closing.map(({ name }) => name),
  )
  // A fixed lock order avoids deadlocks between concurrent pushes.
  for (const { project_id, iid, state, path } of found.sort((a, b) => a.id - b.id)) {
    if (state !== 'opened') continue
    const home = project_id === project.id ? project : await findProject(ctx.db, ctx.actor, String(project_id))
    const issue = await findIssue(ctx, home, iid)
    const subject = { ...projectSubject(home), own: isOwnIssue(issue, ctx.actor.user?.id) }
    const commit = closing.find(({ name }) => isNamed({ iid, path }, name))?.commit
    const closer = commit === undefined ? undefined : commitSeenFrom(home.id, project, commit)
    if (allows(ctx.actor, 'update_issue', subject) === 'yes') await updateIssue(ctx, home, issue, { state_event: 'close', closer })
  }
}

/** An item that a commit names. */
interface Naming {
  readonly commit: string
  readonly name: ItemName
}

const isNamed = ({ iid, path }: ItemName, name: ItemName): boolean => name.iid === iid && name.path.toLowerCase() === path.toLowerCase()

/** The issues that commits on the default branch close by their messages. */
async function closingIn(ctx: Context, project: ProjectWithRole, commits: readonly Commit[]): Promise<Naming[]> {
  const merging = await mergeCommits(ctx, project, commits)
  return (
    commits
      // Contract: the message of a merge commit closes nothing, since the merge itself closes the issues (public behaviour).
      .filter(({ id }) => !merging.has(id))
      .flatMap(({ id: commit, message }) =>
        closedByText(message).flatMap(named => {
          const name = nameOf(ctx, project, named)
          return name ? [{ commit, name }] : []
        }),
      )
      .slice(0, MOST_ISSUES)
  )
}

/** A commit of `project` as named in the project with this id. */
const commitSeenFrom = (homeId: number, project: ProjectWithRole, commit: string): NamedCommit =>
  homeId === project.id ? { commit } : { commit, project }

/** The ids of those commits that merged merge requests of the project. */
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

/** The issue that a commit of the project names, by reference or by URL. */
function nameOf({ url }: Context, project: ProjectWithRole, named: Named): ItemName | undefined {
  if ('address' in named) return itemAt(url, named.address, itemKind('issue'))
  return { path: placeOf(named, project) as string, iid: Number(named.name) }
}

/**
 * Adds a note to each issue and merge request that a commit names, once for each commit.
 * Contract: issues that the commit closes get the note about closing only (public behaviour).
 */
async function addCommitReferences(
  ctx: Context,
  project: ProjectWithRole,
  commits: readonly Commit[],
  closing: readonly Naming[],
): Promise<void> {
  const named = (kind: 'issue' | 'merge_request'): Naming[] =>
    commits
      .flatMap(({ id: commit, message }) =>
        splitAtReferences(message).flatMap(piece =>
          typeof piece === 'object' && piece.kind === kind ? [{ commit, name: nameOf(ctx, project, piece) as ItemName }] : [],
        ),
      )
      .slice(0, MOST_ISSUES)
  const toIssues = named('issue').filter(
    ({ commit, name }) => !closing.some(closed => closed.commit === commit && isNamed(name, closed.name)),
  )
  const toMergeRequests = named('merge_request')
  const issues = await issuesNamed(
    ctx,
    toIssues.map(({ name }) => name),
  )
  const mergeRequests = await itemKind('merge_request').named(
    ctx,
    toMergeRequests.map(({ name }) => name),
  )
  await tell(ctx, project, toIssues, issues, id => ({ issue_id: id }))
  await tell(ctx, project, toMergeRequests, mergeRequests, id => ({ merge_request_id: id }))
}

async function tell(
  ctx: Context,
  project: ProjectWithRole,
  namings: readonly Naming[],
  found: readonly Pick<NamedItem, 'id' | 'iid' | 'path' | 'project_id'>[],
  keyOf: (id: number) => { readonly issue_id: number } | { readonly merge_request_id: number },
): Promise<void> {
  await insertNotes(
    ctx.db,
    namings.flatMap(({ commit, name }) =>
      found
        .filter(thing => isNamed(thing, name))
        .map(thing => {
          const seen = commitSeenFrom(thing.project_id as number, project, commit)
          return {
            ...keyOf(thing.id),
            ...namedCommit(seen),
            author_id: ctx.actor.user!.id,
            action: 'mention',
            body: `mentioned in ${commitNamed(seen)}`,
            created_at: ctx.now,
          }
        }),
    ),
  )
}
