/** References that nobody makes by pushing: what merge requests were and are, and what must not be forgotten. */
import { GitError } from '../errors.ts'
import { readRefs } from '../objects/objects.ts'
import { type ObjectId, objectId, zeroId } from '../objects/oid.ts'
import type { Repository } from '../repository.ts'
import { RefConflict, updateRefs } from './update.ts'

/**
 * What clients fetch of a merge request: `head` is the tip of its source branch, `merge` what merging it now would make.
 * @param iid of the merge request in its target project
 */
export function mergeRequestRef(iid: number, side: 'head' | 'merge'): string {
  if (!Number.isSafeInteger(iid) || iid < 1) throw new GitError('invalid', 'Not a number of a merge request')
  return `refs/merge-requests/${iid}/${side}`
}

/** The hidden reference that keeps a commit, and all that it reaches, from being collected. */
export const keepAroundRef = (id: ObjectId): string => `refs/keep-around/${objectId(id)}`

/**
 * Keeps commits from being collected, for good. One process for all that are not kept yet, none if all of them are.
 * @throws GitError `invalid` if one of them does not exist; none is newly kept then
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
      // Somebody keeps one of them at the same moment: the rest is still to be done.
      if (!(error instanceof RefConflict && error.reason === 'exists')) throw error
    }
  }
}

/** Makes a reference of Ingot's own point to a commit, wherever it pointed before. One process, none if it does already. */
export async function pointTo(repository: Repository, ref: string, id: ObjectId): Promise<void> {
  for (;;) {
    const [known = zeroId] = await readRefs(repository, [ref])
    if (known === id) return
    try {
      await updateRefs(repository, [{ ref, old: known, new: id }])
      return
    } catch (error) {
      // Somebody else moves it at the same moment: whoever is last is right.
      if (!(error instanceof RefConflict && error.reason !== 'in_the_way')) throw error
    }
  }
}

/** Takes references of Ingot's own away, wherever they point. One process, none where there are none of them. */
export async function dropRefs(repository: Repository, refs: readonly string[]): Promise<void> {
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
      // Somebody else moves one of them at the same moment.
      if (!(error instanceof RefConflict)) throw error
    }
  }
}
