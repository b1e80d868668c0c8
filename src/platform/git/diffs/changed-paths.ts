/** Which files commits have changed, by name alone. */
import type { Commit } from '../objects/commit-object.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit, splitNul } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'

/** The files of a commit that came, changed and went. */
export interface ChangedPaths {
  readonly added: string[]
  readonly modified: string[]
  readonly removed: string[]
}

const lists: Readonly<Record<string, keyof ChangedPaths>> = { A: 'added', D: 'removed', M: 'modified', T: 'modified' }

/** The changes of each commit against its first parent; a renamed file has gone and come. One process for all of them. */
export async function changedPaths(
  repository: Repository,
  commits: readonly Pick<Commit, 'id' | 'parent_ids'>[],
): Promise<Map<ObjectId, ChangedPaths>> {
  const found = new Map<ObjectId, ChangedPaths>(commits.map(({ id }) => [id, { added: [], modified: [], removed: [] }]))
  if (commits.length === 0) return found
  const { stdout } = await runGit(repository, {
    subcommand: 'diff-tree',
    flags: ['--stdin', '--name-status', '-z', '-r', '--root', '--no-renames', '--no-ext-diff', '--no-textconv'],
    // A second id on a line takes the place of the commit's parents.
    input: commits.map(({ id, parent_ids: [first] }) => `${objectId(id)}${first === undefined ? '' : ` ${objectId(first)}`}\n`).join(''),
  })
  let current: ChangedPaths | undefined
  const items = splitNul(stdout)[Symbol.iterator]()
  for (const item of items) {
    const list = lists[item]
    if (list === undefined) current = found.get(item)
    else current?.[list].push(items.next().value as string)
  }
  return found
}
