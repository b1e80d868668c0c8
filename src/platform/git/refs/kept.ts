/** References that no push creates: those of merge requests, and those that keep commits from garbage collection. */
import { GitError } from '../errors.ts'
import { readRefs } from '../objects/objects.ts'
import { type ObjectId, objectId, zeroId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import { RefConflict, updateRefs } from './update.ts'

/**
 * The references that clients fetch of a merge request: `head` is the tip of its source branch, `merge` the result of merging it now.
 * @param iid of the merge request in its target project
 */
export function mergeRequestRef(iid: number, side: 'head' | 'merge'): string {
  if (!Number.isSafeInteger(iid) || iid < 1) throw new GitError('invalid', 'Not a number of a merge request')
  return `refs/merge-requests/${iid}/${side}`
}

/** The hidden reference that protects a commit and its ancestors from garbage collection. */
export const keepAroundRef = (id: ObjectId): string => `refs/keep-around/${objectId(id)}`

/**
 * Protects commits from garbage collection for good. One process for all that are not protected yet, none if all are.
 * @throws GitError `invalid` if one of them does not exist; then nothing changes
 */
export async function keepAround(repository: Repository, ids: readonly ObjectId[]): Promise<void> {
  const wanted = [...new Set(ids)]
  for (;;) {
    const known = await readRefs(repository, wanted.map(keepAroundRef))
    const missing = wanted.filter((_, index) => known[index] === undefined)
    try {
      await updateRefs(
        repository,
        missing.map(id => ({ ref: keepAroundRef(id), old: zeroId, new: id })),
      )
      return
    } catch (error) {
      // A concurrent call protects one of them: the rest is still to be done.
      if (!(error instanceof RefConflict && error.reason === 'exists')) throw error
    }
  }
}

/** Sets one of Ingot's own references to a commit, whatever its value. One process, none if it is there already. */
export async function setRef(repository: Repository, ref: string, id: ObjectId): Promise<void> {
  for (;;) {
    const [known = zeroId] = await readRefs(repository, [ref])
    if (known === id) return
    try {
      await updateRefs(repository, [{ ref, old: known, new: id }])
      return
    } catch (error) {
      // A concurrent call moves it: the last one wins.
      if (!(error instanceof RefConflict && error.reason !== 'in_the_way')) throw error
    }
  }
}

/** The heads of merge requests, by their iids. */
export async function listMergeRequestHeads(repository: Repository): Promise<Map<number, ObjectId>> {
  const { stdout } = await runGit(repository, {
    subcommand: 'for-each-ref',
    flags: ['--format=%(objectname) %(refname)'],
    values: ['refs/merge-requests/'],
  })
  const found = [...stdout.toString('latin1').matchAll(/^([0-9a-f]{40}) refs\/merge-requests\/(\d+)\/head$/gm)]
  return new Map(found.map(([, id, iid]) => [Number(iid), id as ObjectId]))
}

/** Deletes references of Ingot's own, whatever their values. One process, none if none of them exists. */
export async function deleteRefs(repository: Repository, refs: readonly string[]): Promise<void> {
  for (;;) {
    const known = await readRefs(repository, refs)
    const moves = refs.flatMap((ref, index) => {
      const old = known[index]
      return old === undefined ? [] : [{ ref, old, new: zeroId }]
    })
    try {
      await updateRefs(repository, moves)
      return
    } catch (error) {
      // A concurrent call moves one of them.
      if (!(error instanceof RefConflict)) throw error
    }
  }
}
