/** The files of a snippet: what a caller asks for, as actions of a commit. */

import { personOf } from '../../code/repository/commits/person.ts'
import {
  ActionRefused,
  commitActions,
  type FileAction,
  GitError,
  type ObjectId,
  pathParts,
  type Repository,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { type FileActionParam, MOST_FILES } from './params.ts'
import { filePathsOf } from './repository.ts'

/** 400 for files that cannot be written. Contract: the reason stands in `message.error` (snippets API). */
export const filesRefused = (error: string): Refusal => new Refusal('bad_request', { message: { error } })

/** The files of a new snippet as a caller gives them: several, or one in its older form. */
export interface GivenFiles {
  readonly files?: readonly { readonly file_path: string; readonly content: string }[] | undefined
  readonly content?: string | undefined
  readonly file_name?: string | undefined
}

/** The files of a new snippet as actions. */
export const newFiles = ({ files, content, file_name }: GivenFiles): FileActionParam[] =>
  (files ?? [{ file_path: file_name || 'snippetfile1.txt', content: content ?? '' }]).map(file => ({ action: 'create', ...file }))

/** Changes of files as a caller gives them. */
export interface GivenChanges extends Omit<GivenFiles, 'files'> {
  readonly files?: readonly FileActionParam[] | undefined
}

/**
 * Changes of files as actions; none where no file changes. Contract: the older form is about the one file of the snippet, and 400 where it has
 * several (snippets API).
 */
export function changedFiles({ files, content, file_name }: GivenChanges, existing: readonly string[]): FileActionParam[] {
  if (files) return [...files]
  if (content === undefined && file_name === undefined) return []
  if (existing.length > 1) throw filesRefused('To update Snippets with multiple files, you must use the `files` parameter')
  const [previous_path] = existing
  if (previous_path === undefined) return [{ action: 'create', ...(file_name && { file_path: file_name }), content: content ?? '' }]
  const file_path = file_name || previous_path
  return file_path === previous_path
    ? content === undefined
      ? []
      : [{ action: 'update', file_path, content }]
    : [{ action: 'move', previous_path, file_path, ...(content !== undefined && { content }) }]
}

/** The bytes that these actions write. */
export const bytesOf = (actions: readonly FileActionParam[]): number =>
  actions.reduce((sum, { content }) => sum + Buffer.byteLength(content ?? ''), 0)

/** The actions for git's writer. 400 for one that says too little, or a path that no repository has. */
function forGit(actions: readonly FileActionParam[], existing: readonly string[]): FileAction[] {
  const taken = new Set(existing)
  const unnamed = (): string => {
    let number = 1
    while (taken.has(`snippetfile${number}.txt`)) number += 1
    return `snippetfile${number}.txt`
  }
  return actions.map(({ action, file_path, previous_path, content }): FileAction => {
    const path = file_path || (action === 'create' ? unnamed() : undefined)
    if (path === undefined) throw filesRefused('Snippet actions have invalid data: file_path is missing')
    for (const given of [path, previous_path]) if (given && !pathParts(given)) throw filesRefused(`Not a valid path of a file: ${given}`)
    taken.add(path)
    if (action === 'delete') return { action, file_path: path }
    if (action === 'move' || (action === 'update' && previous_path && previous_path !== path)) {
      if (!previous_path) throw filesRefused('Snippet actions have invalid data: previous_path is missing')
      return { action: 'move', file_path: path, previous_path, ...(content !== undefined && { content: Buffer.from(content) }) }
    }
    if (content === undefined) throw filesRefused('Snippet actions have invalid data: content is missing')
    return { action, file_path: path, content: Buffer.from(content) }
  })
}

/** Commits changes of files on top of `parent`; no reference moves. 400 for what cannot be applied, and for too many files or none. */
export async function commitFiles(
  ctx: Pick<Context, 'actor' | 'now'>,
  repository: Repository,
  parent: ObjectId | undefined,
  actions: readonly FileActionParam[],
  existing: readonly string[],
): Promise<{ commit: ObjectId; file_paths: string[] }> {
  const person = personOf(ctx.actor)
  const message = parent === undefined ? 'Initial commit' : 'Update snippet'
  const commit = await commitActions(repository, {
    parent: parent ?? null,
    actions: forGit(actions, existing),
    author: person,
    committer: person,
    message,
    now: ctx.now,
  }).catch(error => {
    if (error instanceof ActionRefused || (error instanceof GitError && error.kind === 'invalid')) throw filesRefused(error.message)
    throw error
  })
  const file_paths = await filePathsOf(repository, commit)
  assertFileCount(file_paths.length)
  return { commit, file_paths }
}

/** 400 where a snippet would have no files, or too many. */
export function assertFileCount(count: number): void {
  const refusal = fileCountRefusal(count)
  if (refusal !== undefined) throw filesRefused(refusal)
}

/** Why a snippet cannot have so many files; undefined where it can. */
export function fileCountRefusal(count: number): string | undefined {
  if (count === 0) return 'The repository must contain at least 1 file.'
  return count > MOST_FILES ? `The repository can contain at most ${MOST_FILES} file(s).` : undefined
}
