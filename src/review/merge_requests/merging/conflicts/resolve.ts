/**
 * Conflicts of a merge request, and their resolution by a merge of the target branch into the source branch (merge requests, "Resolve conflicts in
 * the user interface"). The source branch moves by compare-and-swap: what is pushed meanwhile is never lost.
 */
import { branchRights } from '../../../../code/protected_branches/rights.ts'
import { moveReferences } from '../../../../code/ref_updates/move.ts'
import { personOf } from '../../../../code/repository/commits/person.ts'
import { bytesOfText } from '../../../../code/repository/files/edited_text.ts'
import { pushRefused } from '../../../../code/repository/refusals.ts'
import {
  type ConflictingPath,
  commitResolved,
  copyCommits,
  missingBytes,
  type ObjectId,
  RefConflict,
  type Repository,
  type Resolution,
  readBlob,
  readConflicts,
  TooLarge,
} from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { conflict, invalid } from '../../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../../../spaces/storage_limits/limits.ts'
import type { MergeRequestRow } from '../../queries.ts'
import { branchRef, tipsOf } from '../tips.ts'
import { type Contents, type FileConflict, fileConflictOf, MOST_BYTES, shapeOf, type TextConflict } from './conflict.ts'
import { type Choice, chosenText, markerLine } from './three_way.ts'

/** Files in conflict whose contents are read: with more of them a checkout serves people better. */
const MOST_FILES = 100

/** What the two branches conflict in, as of these tips. */
export interface Conflicts {
  readonly ours: ObjectId
  readonly theirs: ObjectId
  readonly files: readonly FileConflict[]
}

/** The source project, if the actor may push to the source branch. */
export async function resolvableBy(ctx: Context, row: MergeRequestRow): Promise<ProjectWithRole | undefined> {
  const { source_project_id, source_branch, state } = row
  if (!ctx.actor.user || state !== 'opened' || source_project_id === null) return undefined
  const project = await visibleProject(ctx.db, ctx.actor, String(source_project_id))
  return project && (await branchRights(ctx, project)).mayPush(source_branch) ? project : undefined
}

/** The tips to merge, in the target's repository; undefined where one is missing, or it does not have the newest commits of a fork yet. */
async function sidesOf(ctx: Context, row: MergeRequestRow) {
  const { target, source, start, head } = await tipsOf(ctx, row)
  if (!target || !source || start === undefined || head === undefined) return undefined
  return source.path === target.path || head === row.head_sha ? { target, source, ours: head, theirs: start } : undefined
}

/** The conflicts as the branches are now; undefined where there is none, or a branch is missing. One process. */
export async function conflictsOf(ctx: Context, row: MergeRequestRow): Promise<Conflicts | undefined> {
  const sides = await sidesOf(ctx, row)
  const merge = sides && (await readConflicts(sides.target, sides))
  if (!sides || !merge) return undefined
  const { ours, theirs } = sides
  return { ours, theirs, files: await filesOf(sides.target, merge.paths) }
}

async function filesOf(repository: Repository, paths: readonly ConflictingPath[]): Promise<FileConflict[]> {
  const read = new Set(paths.filter(found => shapeOf(found) === 'text').slice(0, MOST_FILES))
  return Promise.all(paths.map(async found => fileConflictOf(found, read.has(found) ? await contentsOf(repository, found) : undefined)))
}

/** Undefined where one of them is too large. */
async function contentsOf(repository: Repository, { base, ours, theirs }: ConflictingPath): Promise<Contents | undefined> {
  try {
    const [before, mine, other] = await Promise.all([base, ours, theirs].map(leaf => leaf && readBlob(repository, leaf.id, MOST_BYTES)))
    return { base: before, ours: mine, theirs: other }
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** What a user decided, by the keys of files and conflicts. */
export interface Decisions {
  /** The tips that they saw. */
  readonly source_sha: string
  readonly target_sha: string
  readonly commit_message: string
  /** By conflict. */
  readonly choices: Readonly<Record<string, string>>
  /** By file: a side of a file that is taken as a whole, or `text` for a text that was edited. */
  readonly files: Readonly<Record<string, string>>
  /** Edited texts by file, with any line ends. */
  readonly texts: Readonly<Record<string, string>>
}

/** The message of the commit unless the user has another one. Pure. */
export const resolutionMessage = (row: Pick<MergeRequestRow, 'source_branch' | 'target_branch'>, paths: readonly string[]): string =>
  [`Merge branch '${row.target_branch}' into '${row.source_branch}'`, '', '# Conflicts:', ...paths.map(path => `#   ${path}`)].join('\n')

const isSide = (value: string | undefined): value is Choice => value === 'ours' || value === 'theirs'

/** What becomes of each file; 400 that names what is not decided. Pure. */
export function resolutionsOf(files: readonly FileConflict[], decisions: Pick<Decisions, 'choices' | 'files' | 'texts'>): Resolution[] {
  const wrong: string[] = []
  const resolutions = files.map((file): Resolution => {
    const decided = decisions.files[file.key]
    if (file.kind === 'elsewhere') {
      wrong.push(`${file.path} cannot be resolved here`)
      return { path: file.path, leaf: undefined }
    }
    if (file.kind === 'whole') {
      if (!isSide(decided)) wrong.push(`${file.path}: choose a side`)
      return { path: file.path, leaf: decided === 'theirs' ? file.theirs : file.ours }
    }
    const content = decided === 'text' ? editedContent(file, decisions.texts[file.key] ?? '', wrong) : chosenContent(file, decisions, wrong)
    return { path: file.path, mode: file.mode, content }
  })
  if (wrong.length > 0) throw invalid({ conflicts: wrong })
  return resolutions
}

function editedContent(file: TextConflict, text: string, wrong: string[]): Buffer {
  const line = markerLine(file.parts, text)
  if (line !== undefined) wrong.push(`${file.path}: line ${line} is still a conflict marker`)
  return bytesOfText(text, file.ours)
}

function chosenContent(file: TextConflict, { choices }: Pick<Decisions, 'choices'>, wrong: string[]): Buffer {
  const chosen = file.keys.map(key => choices[key]).map(choice => (isSide(choice) ? choice : undefined))
  const text = chosenText(file.parts, chosen)
  if (text === undefined) {
    const open = chosen.filter(choice => choice === undefined).length
    wrong.push(`${file.path}: ${open === 1 ? 'one conflict is' : `${open} conflicts are`} not decided`)
  }
  return Buffer.from(text ?? '')
}

/**
 * Merges the target branch into the source branch with these decisions, and returns the commit. Not to be called inside a transaction.
 * @throws Refusal 403 if the actor may not push to the source branch; 409 if a branch has moved since, or nothing conflicts; 400 for what is not decided
 */
export async function resolveConflicts(ctx: Context, row: MergeRequestRow, decisions: Decisions): Promise<ObjectId> {
  const project = await resolvableBy(ctx, row)
  if (!project) throw pushRefused()
  const sides = await sidesOf(ctx, row)
  if (!sides || sides.ours !== decisions.source_sha || sides.theirs !== decisions.target_sha) throw hasMoved()
  const { target, source, ours, theirs } = sides
  const merge = await readConflicts(target, sides)
  if (!merge) throw conflict('The branches do not conflict any more.')
  const resolutions = resolutionsOf(await filesOf(target, merge.paths), decisions)
  const person = personOf(ctx.actor)
  const commit = { author: person, committer: person, message: decisions.commit_message, now: ctx.now, ours, theirs, resolutions }
  const write = async () => {
    if (source.path !== target.path) await copyCommits(source, target, [theirs])
    return commitResolved(source, commit)
  }
  const id = await withRoomForCopy(ctx.deps, project, () => bytesOf(sides, resolutions), write)
  try {
    await moveReferences(ctx, project, [{ ref: branchRef(row.source_branch), old: ours, new: id }])
  } catch (error) {
    if (error instanceof RefConflict) throw hasMoved()
    throw error
  }
  return id
}

const hasMoved = () =>
  conflict('A branch has moved since this page was loaded. Your choices are kept: look at what is new, and send them again.')

/** The size of the commit: new texts as a whole, and for a fork what it lacks of the target. */
async function bytesOf(
  { source, target, theirs }: { readonly source: Repository; readonly target: Repository; readonly theirs: ObjectId },
  resolutions: readonly Resolution[],
): Promise<number> {
  const lacking = source.path === target.path ? 0 : await missingBytes(source, target, theirs)
  return resolutions.reduce((sum, resolution) => sum + ('content' in resolution ? resolution.content.length : 0), lacking)
}
