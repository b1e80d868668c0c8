/** Merge requests, with their latest version. */

import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../../platform/db/statements/insert_rows.ts'
import { isDraft } from '../../../../review/merge_requests/changes/drafts.ts'
import { recordChosenIid } from '../../../../spaces/places/iids.ts'
import { groupsOf, relationOf, timesOf } from '../../../archives/importing/import.ts'
import type { Row } from '../../../archives/reading/row.ts'
import { assertFew } from '../../../archives/relations/items/notes.ts'
import { countsIn, exportedParts, importParts } from '../../../archives/relations/items/parts.ts'
import { milestoneIdOf } from '../../../archives/relations/milestones.ts'
import { byId, nextItems } from '../../../archives/relations/read.ts'
import type { ProjectImport } from '../../importing/state.ts'
import { MOST_ASSIGNEES, peopleIn, takeIid } from './issues.ts'
import { exportedVersion, importVersions, type Source, sourcesOf } from './versions.ts'

/** Merge requests that are read and written together. */
const PAGE = 50

/** `merge_requests.ndjson`, with what the database says of their versions. `withDifferences` adds what the repository does. */
export async function* exportMergeRequests(db: Db, projectId: number): AsyncGenerator<object> {
  for (let last = 0; ; ) {
    const ids = await nextItems(db, 'merge_requests', projectId, { after: last, most: PAGE })
    if (ids.length === 0) return
    last = ids.at(-1) as number
    const page = await db.selectFrom('merge_requests').selectAll().where('id', '=', anyOf(ids)).orderBy('id').execute()
    const of = <T extends 'merge_request_assignees' | 'merge_request_reviewers' | 'approvals'>(table: T) =>
      db
        .selectFrom(table as 'merge_request_reviewers')
        .selectAll()
        .where('merge_request_id', '=', anyOf(ids))
        .orderBy('user_id')
        .execute()
    const parts = await exportedParts(db, { project_id: projectId }, 'merge_request_id', page)
    const assignees = byId(await of('merge_request_assignees'), 'merge_request_id')
    const reviewers = byId(await of('merge_request_reviewers'), 'merge_request_id')
    const approvals = byId(await of('approvals'), 'merge_request_id')
    const versions = await db
      .selectFrom('merge_request_versions')
      .selectAll()
      .where('id', '=', anyOf(page.flatMap(({ latest_version_id }) => latest_version_id ?? [])))
      .execute()
    const versionOf = new Map(versions.map(version => [version.id, version]))
    for (const row of page) {
      const version = versionOf.get(row.latest_version_id ?? 0)
      yield {
        id: row.id,
        iid: row.iid,
        target_branch: row.target_branch,
        source_branch: row.source_branch,
        source_project_id: row.source_project_id,
        target_project_id: projectId,
        author_id: row.author_id,
        title: row.title,
        description: row.description,
        created_at: row.created_at,
        updated_at: row.updated_at,
        state: row.state,
        merge_status: row.merge_status,
        merge_error: row.merge_error,
        merge_params: { force_remove_source_branch: row.force_remove_source_branch },
        merge_when_pipeline_succeeds: false,
        merge_commit_sha: row.merge_commit_sha,
        squash_commit_sha: row.squash_commit_sha,
        diff_head_sha: row.head_sha,
        squash: row.squash,
        allow_maintainer_to_push: row.allow_collaboration,
        discussion_locked: row.discussion_locked,
        time_estimate: row.time_estimate,
        last_edited_at: row.last_edited_at,
        last_edited_by_id: row.last_edited_by_id,
        updated_by_id: row.last_edited_by_id,
        approvals_before_merge: row.approvals_before_merge,
        assignee_id: assignees(row.id)[0]?.user_id ?? null,
        merge_request_assignees: assignees(row.id).map(({ user_id }) => ({ user_id, created_at: row.created_at })),
        merge_request_reviewers: reviewers(row.id).map(({ user_id, state, created_at }) => ({ user_id, state, created_at })),
        approvals: approvals(row.id).map(({ user_id, created_at }) => ({ user_id, created_at, updated_at: created_at })),
        metrics: {
          merged_at: row.merged_at,
          merged_by_id: row.merged_by_id,
          latest_closed_at: row.closed_at,
          latest_closed_by_id: row.closed_by_id,
          first_deployed_to_production_at: row.first_deployed_to_production_at,
        },
        ...(version && { merge_request_diff: exportedVersion(version) }),
        ...parts(row.id),
      }
    }
  }
}

const states = ['opened', 'closed', 'merged', 'locked'] as const

/** The state and what goes with it. What waits for its commits in vain is closed. */
function stateOf({ people }: ProjectImport, row: Row, source: Source) {
  const given = row.oneOf('state', states)
  const metrics = row.row('metrics')
  const { maybeInstant, maybeId } = {
    maybeInstant: (name: string) => metrics?.maybeInstant(name),
    maybeId: (name: string) => metrics?.maybeId(name),
  }
  const end = row.maybeInstant('updated_at') ?? row.maybeInstant('created_at') ?? new Date(0).toISOString()
  const state = given === 'opened' || given === 'locked' ? (source.head === undefined ? ('closed' as const) : ('opened' as const)) : given
  return {
    state,
    merged_at: state === 'merged' ? (maybeInstant('merged_at') ?? end) : null,
    merged_by_id: state === 'merged' ? people.maybeIdOf(maybeId('merged_by_id') ?? row.maybeId('merge_user_id')) : null,
    closed_at: state === 'closed' ? (maybeInstant('latest_closed_at') ?? end) : null,
    closed_by_id: state === 'closed' ? people.maybeIdOf(maybeId('latest_closed_by_id')) : null,
    first_deployed_to_production_at: maybeInstant('first_deployed_to_production_at') ?? null,
  }
}

async function columnsOf(state: ProjectImport, row: Row, iid: number, source: Source) {
  const { project, people } = state
  const title = row.text('title', 255)
  return {
    project_id: project.id,
    iid,
    source_project_id: source.branch === undefined ? null : project.id,
    source_branch: source.branch ?? row.text('source_branch', 255),
    target_branch: row.text('target_branch', 255),
    author_id: people.idOf(row.maybeId('author_id')),
    title,
    draft: isDraft(title),
    ...(await countsIn(state, 'merge_request_id', row)),
    ...stateOf(state, row, source),
    head_sha: source.head ?? null,
    milestone_id: await milestoneIdOf(state, row.row('milestone')),
    discussion_locked: row.maybeFlag('discussion_locked') ?? null,
    allow_collaboration: row.flag('allow_maintainer_to_push'),
    squash: row.flag('squash'),
    force_remove_source_branch: removesBranch(row),
    approvals_before_merge: row.maybeInteger('approvals_before_merge') ?? null,
    merge_commit_sha: row.maybeCommit('merge_commit_sha') ?? null,
    squash_commit_sha: row.maybeCommit('squash_commit_sha') ?? null,
    last_edited_at: row.maybeInstant('last_edited_at') ?? null,
    last_edited_by_id: people.maybeIdOf(row.maybeId('last_edited_by_id')),
    ...timesOf(state, row),
  }
}

/** Old archives say it as a text. */
function removesBranch(row: Row): boolean | null {
  const given = row.row('merge_params')?.raw('force_remove_source_branch')
  return given === true || given === '1' || given === 'true' ? true : given === false || given === '0' || given === 'false' ? false : null
}

/** Reads `merge_requests.ndjson`. Merge requests are unchecked, and none merges by itself: nobody here has asked for it. */
export async function importMergeRequests(state: ProjectImport): Promise<void> {
  const { db, project, people, mergeRequests } = state
  for await (const rows of groupsOf(relationOf(state, 'merge_requests'), PAGE)) {
    const sources = await sourcesOf(state, rows)
    const columns: Awaited<ReturnType<typeof columnsOf>>[] = []
    for (const [at, row] of rows.entries()) {
      const iid = takeIid(mergeRequests, row)
      mergeRequests.set(iid, 0)
      columns.push(await columnsOf(state, row, iid, sources[at] as Source))
    }
    const ids = await insertRowsWithIds(db, 'merge_requests', columns)
    const items = rows.map((row, at) => ({ row, id: ids[at] as number, iid: columns[at]?.iid as number, source: sources[at] as Source }))
    for (const { id, iid } of items) mergeRequests.set(iid, id)
    await importVersions(state, items)
    await insertRows(
      db,
      'merge_request_assignees',
      items.flatMap(({ id, row }) => assigneesIn(state, row).map(user_id => ({ merge_request_id: id, user_id }))),
    )
    await insertRows(
      db,
      'merge_request_reviewers',
      items.flatMap(({ id, row }) => {
        const reviewers = new Map(row.rows('merge_request_reviewers').map(each => [people.idOf(each.maybeId('user_id')), each]))
        assertFew([...reviewers], MOST_ASSIGNEES, 'merge_requests', 'reviewers')
        return [...reviewers].map(([user_id, each]) => ({
          merge_request_id: id,
          user_id,
          state: each.oneOf('state', ['unreviewed', 'reviewed']),
          created_at: timesOf(state, each).created_at,
        }))
      }),
    )
    await insertRows(
      db,
      'approvals',
      items.flatMap(({ id, row }) => {
        // An approval is the word of one person: no other account says it for them.
        const given = row.rows('approvals').filter(each => people.knows(each.maybeId('user_id')))
        const approvals = new Map(given.map(each => [people.idOf(each.maybeId('user_id')), each]))
        return [...approvals].map(([user_id, each]) => ({ merge_request_id: id, user_id, created_at: timesOf(state, each).created_at }))
      }),
    )
    await importParts(state, 'merge_request_id', items)
  }
  if (mergeRequests.size === 0) return
  const last = [...mergeRequests.keys()].reduce((one, other) => Math.max(one, other))
  await recordChosenIid(db, { project_id: project.id }, 'merge_request', last)
}

/** The assignees; old archives name one. */
function assigneesIn(state: ProjectImport, row: Row): number[] {
  const rows = row.rows('merge_request_assignees')
  assertFew(rows, MOST_ASSIGNEES, 'merge_requests', 'assignees')
  if (rows.length > 0) return peopleIn(state, rows)
  const only = row.maybeId('assignee_id')
  return only === undefined ? [] : [state.people.idOf(only)]
}
