/** Merges that conflict: what each side has, and the commit that joins them once each conflict is resolved. No working copy, no reference moved. */
import { GitError } from '../errors.ts'
import { type CommitText, formatCommit } from '../objects/commit-object.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import { pathParts } from '../trees/paths.ts'
import { type Leaf, TreeEdit } from './tree-edit.ts'
import { NewObjects } from './write-objects.ts'

/** The two commits: `theirs` is merged into `ours`, the first parent. */
export interface ConflictSides {
  readonly ours: ObjectId
  readonly theirs: ObjectId
}

/** A file in conflict: the same path in the common ancestor and on both sides, as far as it is there. */
export interface ConflictingPath {
  readonly path: string
  readonly base: Leaf | undefined
  readonly ours: Leaf | undefined
  readonly theirs: Leaf | undefined
  /** What git calls the conflicts of the path: `contents`, `binary`, `modify/delete`, `rename/rename`, … */
  readonly kinds: ReadonlySet<string>
  /** The name is no UTF-8 and is not shown as it is. */
  readonly isUnreadable: boolean
}

/** What a merge gives that does not work out: a tree with conflict markers in it, and the paths that are in conflict. */
export interface ConflictingMerge {
  readonly tree: ObjectId
  readonly paths: readonly ConflictingPath[]
}

/** Merges both in memory; undefined where nothing is in conflict. One process. Throws `too_large` where there is more than the output may have. */
export async function readConflicts(repository: Repository, { ours, theirs }: ConflictSides): Promise<ConflictingMerge | undefined> {
  const { stdout, stderr, exitCode } = await runGit(repository, {
    subcommand: 'merge-tree',
    flags: ['--write-tree', '-z', '--messages', '--allow-unrelated-histories'],
    values: [objectId(ours), objectId(theirs)],
    answers: [1],
  })
  if (stderr !== '' || stdout.length === 0) throw new GitError('corrupt', `${ours} and ${theirs} cannot be read to merge them`, stderr)
  return exitCode === 1 ? conflictsIn(stdout) : undefined
}

/** Decodes what `merge-tree -z` writes: the tree, the stages of paths, an empty field, and messages. */
function conflictsIn(output: Buffer): ConflictingMerge {
  const fields = output.toString('utf8').split('\0')
  const [tree = ''] = fields
  const end = fields.indexOf('', 1)
  const stages = new Map<string, { [stage: string]: Leaf }>()
  for (const field of fields.slice(1, end)) {
    const tab = field.indexOf('\t')
    const [mode = '', id = '', stage = ''] = field.slice(0, tab).split(' ')
    const path = field.slice(tab + 1)
    stages.set(path, { ...stages.get(path), [stage]: { mode, id: objectId(id) } })
  }
  const kinds = kindsIn(fields.slice(end + 1))
  const paths = [...new Set([...stages.keys(), ...kinds.keys()])].sort().map(path => {
    const { 1: base, 2: ours, 3: theirs } = stages.get(path) ?? {}
    return { path, base, ours, theirs, kinds: kinds.get(path) ?? new Set<string>(), isUnreadable: path.includes('\uFFFD') }
  })
  return { tree: objectId(tree), paths }
}

/** Of each path what its messages call its conflicts. A message: how many paths, the paths, its kind, its text. */
function kindsIn(messages: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>()
  for (let at = 0; at + 2 < messages.length; ) {
    const count = Number(messages[at])
    const kind = /^CONFLICT \((.*)\)$/.exec(messages[at + 1 + count] ?? '')?.[1]
    if (kind !== undefined)
      for (const path of messages.slice(at + 1, at + 1 + count)) kinds.set(path, (kinds.get(path) ?? new Set()).add(kind))
    at += count + 3
  }
  return kinds
}

/** What becomes of a path: a new content, what one side has, or nothing where it is deleted. */
export type Resolution =
  | { readonly path: string; readonly mode: string; readonly content: Buffer }
  | { readonly path: string; readonly leaf: Leaf | undefined }

/**
 * Merges both sides again, puts the resolutions in the place of what is in conflict, writes the commit and returns its id. Throws a `GitError`
 * `invalid` for a path in conflict that has none. Two processes; no reference moves.
 */
export async function commitResolved(
  repository: Repository,
  commit: CommitText & ConflictSides & { readonly resolutions: readonly Resolution[] },
): Promise<ObjectId> {
  const { ours, theirs, resolutions } = commit
  const merge = await readConflicts(repository, { ours, theirs })
  const resolved = new Map(resolutions.map(resolution => [resolution.path, resolution]))
  if (merge?.paths.length !== resolved.size || merge.paths.some(({ path }) => !resolved.has(path)))
    throw new GitError('invalid', 'The resolutions do not fit the conflicts')
  const objects = new NewObjects()
  const tree = new TreeEdit(repository, merge.tree)
  for (const resolution of resolutions) {
    const parts = pathParts(resolution.path)
    if (!parts) throw new GitError('invalid', 'The path of a conflict is invalid')
    const leaf = 'content' in resolution ? { mode: resolution.mode, id: objects.add('blob', resolution.content) } : resolution.leaf
    if (leaf === undefined) await tree.remove(parts)
    else await tree.set(parts, leaf)
  }
  const id = objects.add('commit', formatCommit(tree.write(objects), [objectId(ours), objectId(theirs)], commit))
  await objects.write(repository)
  return id
}
