/** Applying suggestions: a commit by the caller replaces lines of the source branch. */

import { branchRights } from '../../code/protected_branches/rights.ts'
import { moveReferences } from '../../code/ref_updates/move.ts'
import { personOf } from '../../code/repository/commits/person.ts'
import { pushRefused, refused, refusedRace } from '../../code/repository/refusals.ts'
import type { Position } from '../../collaboration/notes/positions/position.ts'
import { resolveDiscussions } from '../../collaboration/notes/writing/resolved.ts'
import { isAppliable } from '../../collaboration/suggestions/entity.ts'
import { type SuggestionRow, suggestionsById, suggestionsVisible } from '../../collaboration/suggestions/queries.ts'
import { linesOf, setApplied } from '../../collaboration/suggestions/write.ts'
import { allows } from '../../platform/access/abilities.ts'
import { transact } from '../../platform/db/transact.ts'
import {
  commitReplacements,
  entryAt,
  NothingToChange,
  type ObjectId,
  objectInfo,
  ReplacementRefused,
  type Repository,
  readRefs,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../spaces/storage_limits/limits.ts'
import { mergeRequestById } from '../merge_requests/queries.ts'

/** Default commit message, if neither the request nor the project has one. */
const usualMessage = 'Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)'

/**
 * Applies suggestions of one merge request by one commit on its source branch, and resolves their threads. Not to be called inside a
 * transaction. 404 for suggestions that the caller may not see, 403 if they may not push, 400 if one cannot be applied (any more);
 * then nothing changes.
 */
export async function applySuggestions(ctx: Context, ids: readonly number[], message?: string): Promise<SuggestionRow[]> {
  const { db, actor, now } = ctx
  const wanted = [...new Set(ids)]
  const rows = await suggestionsById(db, wanted)
  const [first] = rows
  if (!first || rows.length < wanted.length) throw notFound('Suggestion')
  if (rows.some(row => row.merge_request_id !== first.merge_request_id)) throw refused('Suggestions must be of one merge request.')
  const project = await visibleProject(db, actor, String(first.project_id))
  if (!project || allows(actor, 'read_merge_request', projectSubject(project)) !== 'yes') throw notFound('Suggestion')
  if (!(await suggestionsVisible(db, actor, rows))) throw notFound('Suggestion')
  const mergeRequest = await mergeRequestById(db, first.merge_request_id as number, null)
  const sourceId = mergeRequest?.source_project_id ?? null
  const source = sourceId === null ? undefined : await visibleProject(db, actor, String(sourceId))
  if (!mergeRequest || !source) throw forbidden()
  const { source_branch } = mergeRequest
  if (!(await branchRights(ctx, source)).mayPush(source_branch)) throw pushRefused()
  if (!rows.every(isAppliable)) throw refused(rows.length === 1 ? 'Suggestion is not appliable.' : 'A suggestion is not applicable.')
  const repository = await findRepository(ctx.deps.storages, source)
  const ref = `refs/heads/${source_branch}`
  const [tip] = repository ? await readRefs(repository, [ref]) : []
  if (!repository || tip === undefined || tip !== mergeRequest.head_sha) throw refused('Suggestion is not appliable.')
  const person = personOf(actor)
  const commit = { author: person, committer: person, message: messageFor(ctx, source, source_branch, rows, message), now }
  const write = () => written(repository, { ...commit, parent: tip }, rows)
  const id = await withRoomForCopy(ctx.deps, source, () => bytesOf(repository, { ...commit, parent: tip }, rows), write)
  try {
    await moveReferences(ctx, source, [{ ref, old: tip, new: id }])
  } catch (error) {
    throw refusedRace(error)
  }
  await transact(db, async tx => {
    await setApplied(tx, wanted, id)
    await resolveDiscussions(
      tx,
      rows.map(row => row.discussion_id),
      actor.user?.id as number,
      now,
    )
  })
  return suggestionsById(db, wanted)
}

type Written = Omit<Parameters<typeof commitReplacements>[1], 'files'>

const pathOf = (row: SuggestionRow): string => (row.at as unknown as Position).new_path as string

/** Size of the commit in bytes: git writes each changed file as a whole. */
async function bytesOf(repository: Repository, { parent, message }: Written, rows: readonly SuggestionRow[]): Promise<number> {
  const entries = await Promise.all([...new Set(rows.map(pathOf))].map(path => entryAt(repository, parent, path)))
  const files = await objectInfo(
    repository,
    entries.flatMap(entry => (entry?.type === 'blob' ? [entry.id] : [])),
  )
  const texts = rows.reduce((sum, { to_content }) => sum + Buffer.byteLength(to_content), Buffer.byteLength(message))
  return files.reduce((sum, file) => sum + (file?.size ?? 0), texts)
}

/** Writes the commit; 400 if the lines have changed, or two suggestions overlap. */
async function written(repository: Repository, commit: Written, rows: readonly SuggestionRow[]): Promise<ObjectId> {
  const files = [...Map.groupBy(rows, pathOf)].map(([path, ofFile]) => ({
    path,
    replacements: ofFile.map(row => ({
      ...linesOf(row.at as unknown as Position, row),
      text: row.to_content,
      expected: row.from_content,
    })),
  }))
  try {
    return await commitReplacements(repository, { ...commit, files })
  } catch (error) {
    if (error instanceof ReplacementRefused || error instanceof NothingToChange) throw refused('Suggestion is not appliable.')
    throw error
  }
}

function messageFor({ actor }: Context, project: ProjectWithRole, branch: string, rows: readonly SuggestionRow[], given?: string): string {
  const paths = [...new Set(rows.map(pathOf))]
  const values: Readonly<Record<string, string>> = {
    branch_name: branch,
    files_count: String(paths.length),
    file_paths: paths.join(', '),
    project_name: project.name,
    project_path: project.full_path,
    user_full_name: actor.user?.name ?? '',
    username: actor.user?.username ?? '',
    suggestions_count: String(rows.length),
  }
  const template = given || project.suggestion_commit_message || usualMessage
  return template.replace(/%\{(\w+)\}/g, (text, name: string) => values[name] ?? text)
}
