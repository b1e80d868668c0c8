/** Commits made of file actions, as in the API's "create a commit with multiple files and actions". */
import { lastCommitsFor } from '../commits/history.ts'
import { GitError } from '../errors.ts'
import { type CommitText, formatCommit } from '../objects/commit-object.ts'
import { readCommit } from '../objects/objects.ts'
import type { ObjectId } from '../objects/oid.ts'
import { typeOfMode } from '../objects/tree-object.ts'
import type { Repository } from '../storage/repository.ts'
import { pathParts } from '../trees/paths.ts'
import { type Leaf, TreeEdit } from './tree-edit.ts'
import { NewObjects } from './write-objects.ts'

/** One change to one file. Contents are bytes: the caller has decoded base64. */
export type FileAction =
  | { readonly action: 'create'; readonly file_path: string; readonly content: Buffer; readonly execute_filemode?: boolean }
  | { readonly action: 'update'; readonly file_path: string; readonly content: Buffer; readonly last_commit_id?: string }
  | { readonly action: 'delete'; readonly file_path: string; readonly last_commit_id?: string }
  | {
      readonly action: 'move'
      readonly file_path: string
      readonly previous_path: string
      /** Absent: the contents stay. */
      readonly content?: Buffer
      readonly last_commit_id?: string
    }
  /** Lets a submodule that is there name another commit. */
  | { readonly action: 'submodule'; readonly file_path: string; readonly commit: ObjectId }
  | { readonly action: 'chmod'; readonly file_path: string; readonly execute_filemode: boolean; readonly last_commit_id?: string }

export type ActionRefusalReason =
  | 'file_exists'
  | 'directory_exists'
  | 'file_missing'
  | 'path_invalid'
  | 'file_changed'
  | 'submodule_missing'
  | 'submodule_same'

const refusals: Readonly<Record<ActionRefusalReason, (path: string) => string>> = {
  file_exists: () => 'A file with this name already exists',
  directory_exists: () => 'A directory with this name already exists',
  file_missing: () => "A file with this name doesn't exist",
  path_invalid: path => (path.split('/').includes('..') ? 'Path cannot include directory traversal' : `invalid path: '${path}'`),
  submodule_missing: () => 'Invalid submodule path',
  submodule_same: path => `The submodule ${path} names this commit already`,
  file_changed: path => `The file has changed since you started editing it: ${path}`,
}

/** An action that cannot be applied. `message` is in the API's words; `action` is its index in the list. */
export class ActionRefused extends GitError {
  readonly reason: ActionRefusalReason
  readonly path: string
  readonly action: number

  constructor(reason: ActionRefusalReason, path: string, action: number) {
    super('invalid', refusals[reason](path))
    this.reason = reason
    this.path = path
    this.action = action
  }
}

export interface ActionsCommit extends CommitText {
  /** The parent commit; null for the first commit of a repository. */
  readonly parent: ObjectId | null
  readonly actions: readonly FileAction[]
}

/**
 * Applies the actions to `parent`, writes the commit and returns its id. No reference moves. An action sees the results of those before it;
 * the first that cannot be applied refuses them all (`ActionRefused`). Starts one git process, and a second if some action has a
 * `last_commit_id`.
 */
export async function commitActions(repository: Repository, commit: ActionsCommit): Promise<ObjectId> {
  const { parent, actions } = commit
  const start = parent === null ? undefined : await readCommit(repository, parent)
  if (parent !== null && start === undefined) throw new GitError('not_found', 'The parent is not a commit')
  await requireUnchanged(repository, parent, actions)

  const objects = new NewObjects()
  const tree = new TreeEdit(repository, start?.tree_id)
  for (const [index, action] of actions.entries()) await perform(tree, objects, action, index)
  const id = objects.add('commit', formatCommit(tree.write(objects), parent === null ? [] : [parent], commit))
  await objects.write(repository)
  return id
}

/** Checks every `last_commit_id`: the file's last commit must still be the one that the caller saw. */
async function requireUnchanged(repository: Repository, parent: ObjectId | null, actions: readonly FileAction[]): Promise<void> {
  const guarded = actions.flatMap((action, index) => {
    const expected = 'last_commit_id' in action ? action.last_commit_id : undefined
    const path = action.action === 'move' ? action.previous_path : action.file_path
    return expected === undefined ? [] : [{ path, expected, index }]
  })
  if (guarded.length === 0) return
  for (const { path, index } of guarded) partsOf(path, index)
  const last = parent === null ? new Map() : await lastCommitsFor(repository, parent, [...new Set(guarded.map(({ path }) => path))])
  for (const { path, expected, index } of guarded) {
    if (last.get(path) !== expected) throw new ActionRefused('file_changed', path, index)
  }
}

async function perform(tree: TreeEdit, objects: NewObjects, action: FileAction, index: number): Promise<void> {
  const parts = partsOf(action.file_path, index)
  switch (action.action) {
    case 'create': {
      await requireFree(tree, parts, index)
      return tree.set(parts, { mode: fileMode(action.execute_filemode ?? false), id: objects.add('blob', action.content) })
    }
    case 'update': {
      const { mode } = await requireFile(tree, parts, index)
      return tree.set(parts, { mode, id: objects.add('blob', action.content) })
    }
    case 'delete': {
      await requireFile(tree, parts, index)
      return tree.remove(parts)
    }
    case 'chmod': {
      const { id } = await requireFile(tree, parts, index)
      return tree.set(parts, { mode: fileMode(action.execute_filemode), id })
    }
    case 'submodule': {
      const found = await tree.find(parts)
      if (typeof found !== 'object' || typeOfMode(found.mode) !== 'commit')
        throw new ActionRefused('submodule_missing', action.file_path, index)
      if (found.id === action.commit) throw new ActionRefused('submodule_same', action.file_path, index)
      return tree.set(parts, { mode: found.mode, id: action.commit })
    }
    case 'move': {
      const from = partsOf(action.previous_path, index)
      const leaf = await requireFile(tree, from, index)
      // Removed first: a file may move below its own name (`a` to `a/b`).
      await tree.remove(from)
      await requireFree(tree, parts, index)
      return tree.set(parts, action.content === undefined ? leaf : { mode: leaf.mode, id: objects.add('blob', action.content) })
    }
  }
}

const fileMode = (executable: boolean) => (executable ? '100755' : '100644')

function partsOf(path: string, index: number): string[] {
  const parts = pathParts(path)
  if (parts === undefined) throw new ActionRefused('path_invalid', path, index)
  return parts
}

async function requireFile(tree: TreeEdit, parts: readonly string[], index: number): Promise<Leaf> {
  const found = await tree.find(parts)
  if (typeof found !== 'object' || typeOfMode(found.mode) !== 'blob') throw new ActionRefused('file_missing', parts.join('/'), index)
  return found
}

async function requireFree(tree: TreeEdit, parts: readonly string[], index: number): Promise<void> {
  const found = await tree.find(parts)
  if (found === undefined) return
  throw new ActionRefused(found === 'directory' ? 'directory_exists' : 'file_exists', parts.join('/'), index)
}
