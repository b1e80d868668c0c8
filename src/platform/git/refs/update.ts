/** Moves references: always by compare-and-swap, always all or none. */

import { GitError, GitProcessError } from '../errors.ts'
import { objectInfo, readRefs } from '../objects/objects.ts'
import { type ObjectId, objectId, zeroId } from '../objects/oid.ts'
import { runGit, withConfiguration } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import { allRefs } from './list.ts'
import type { RefMove } from './loose-refs.ts'
import { isLockedFor, lockedFor, moveLooseRefs, releaseLocks } from './loose-refs.ts'
import { isValidRefName } from './names.ts'

/**
 * Why moves were not made:
 * - `moved`: the reference does not point to `old` any more (`actual` says where it points, all zeros if gone);
 * - `exists`: it was to be created and is there;
 * - `in_the_way`: another reference (`other`) is a directory of this name or lies below it;
 * - `differs_in_case`: the name of another reference (`other`) differs from this one only in letter case.
 */
export type RefConflictReason = 'moved' | 'exists' | 'in_the_way' | 'differs_in_case'

/** A compare-and-swap was lost: nothing was moved. */
export class RefConflict extends GitError {
  readonly ref: string
  readonly reason: RefConflictReason
  readonly actual: ObjectId
  readonly other: string | undefined

  constructor(ref: string, reason: RefConflictReason, actual: ObjectId, other?: string) {
    super('conflict', `The reference ${ref} could not be moved: ${reason}`)
    this.ref = ref
    this.reason = reason
    this.actual = actual
    this.other = other
  }
}

const lockedLine = (ref: string): string => `The reference ${ref} is locked by another process of git. Please try again later.`

/** The lock of a reference is held, by a git that runs or has left it behind: nothing was moved. */
export class RefLocked extends GitError {
  constructor(ref: string) {
    super('conflict', lockedLine(ref))
  }
}

/** How long a lock is waited for, in milliseconds. Those who hold one need a moment. */
const LOCK_PATIENCE = 1000

/** Moves that are made without starting git, in the plain case (loose-refs.ts). */
const MOST_WITHOUT_GIT = 4

/** References of a push whose locks are looked at: as many take milliseconds. */
const MOST_LOOKED_AT = 1_000

/**
 * The references of a push that are locked for longer than any git needs, each with the line that refuses it: git would wait ten seconds for them. Locks
 * that killed processes have left are removed. Of a push with very many references the first ones are looked at.
 */
export function lockRefusals(repository: Repository, refs: readonly string[]): ReadonlyMap<string, string> {
  const isHeld = (ref: string) => isLockedFor(repository, ref, LOCK_PATIENCE)
  const locked = refs.slice(0, MOST_LOOKED_AT).filter(isHeld)
  if (locked.length > 0) releaseLocks(repository, locked)
  return new Map(locked.filter(isHeld).map(ref => [ref, lockedLine(ref)]))
}

const lockEnvironment = withConfiguration([['core.filesRefLockTimeout', String(LOCK_PATIENCE)]])

/** Attempts at a transaction that failed although all references have the expected values (locks held by one after the other). */
const attempts = 3

/**
 * Moves references in one transaction. Throws `RefConflict` if one of them does not have the expected value, `invalid` for a bad name, a
 * duplicate, or a `new` that does not exist, `RefLocked` if a lock is not released within a second; then nothing moves.
 */
export async function updateRefs(repository: Repository, moves: readonly RefMove[]): Promise<void> {
  if (moves.length === 0) return
  for (const { ref, old, new: target } of moves) {
    if (!isValidRefName(ref)) throw new GitError('invalid', `Not a valid reference name: ${ref}`)
    objectId(old)
    objectId(target)
  }
  if (new Set(moves.map(({ ref }) => ref)).size < moves.length)
    throw new GitError('invalid', 'A reference can move only once in a transaction')
  await requireTargets(repository, moves)
  if (moves.length <= MOST_WITHOUT_GIT && (await moveLooseRefs(repository, moves))) return
  const input = ['start', ...moves.flatMap(instructionOf), 'prepare', 'commit'].map(part => `${part}\0`).join('')
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runGit(repository, { subcommand: 'update-ref', flags: ['--stdin', '-z'], input, environment: lockEnvironment })
      return
    } catch (error) {
      // git has one exit code for all failures: the current values distinguish a lost race from a broken disk.
      if (!(error instanceof GitProcessError) || error.exitCode === null) throw error
      const conflict = await findConflict(repository, moves)
      if (conflict !== undefined) throw conflict
      const locked = lockedFor(
        repository,
        moves.map(({ ref }) => ref),
        LOCK_PATIENCE,
      )
      if (locked !== undefined) throw new RefLocked(locked)
      if (attempt === attempts) throw error
    }
  }
}

function instructionOf({ ref, old, new: target }: RefMove): string[] {
  if (target === zeroId) return [`delete ${ref}`, old]
  if (old === zeroId) return [`create ${ref}`, target]
  return [`update ${ref}`, target, old]
}

async function requireTargets(repository: Repository, moves: readonly RefMove[]): Promise<void> {
  const targets = moves.filter(move => move.new !== zeroId)
  const infos = await objectInfo(
    repository,
    targets.map(move => move.new),
  )
  for (const [index, info] of infos.entries()) {
    const { ref } = targets[index]!
    if (info === undefined) throw new GitError('invalid', `The new target of ${ref} does not exist`)
    if (ref.startsWith('refs/heads/') && info.type !== 'commit') throw new GitError('invalid', `A branch must name a commit: ${ref}`)
  }
}

async function findConflict(repository: Repository, moves: readonly RefMove[]): Promise<RefConflict | undefined> {
  const actual = await readRefs(
    repository,
    moves.map(move => move.ref),
  )
  for (const [index, { ref, old }] of moves.entries()) {
    const now = actual[index] ?? zeroId
    if (now !== old) return new RefConflict(ref, old === zeroId ? 'exists' : 'moved', now)
  }
  const names = [...(await allRefs(repository)).keys(), ...moves.filter(move => move.old === zeroId).map(move => move.ref)]
  for (const { ref, old } of moves) {
    if (old !== zeroId) continue
    const other = names.find(name => name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`))
    if (other !== undefined) return new RefConflict(ref, 'in_the_way', zeroId, other)
  }
  return undefined
}

/** Which of these moves were made, are still to be made, or were overtaken, according to the current values. */
export async function outcomesOf(repository: Repository, moves: readonly RefMove[]): Promise<('made' | 'not_made' | 'overtaken')[]> {
  const actual = await readRefs(
    repository,
    moves.map(move => move.ref),
  )
  return moves.map((move, index) => {
    const now = actual[index] ?? zeroId
    return now === move.new ? 'made' : now === move.old ? 'not_made' : 'overtaken'
  })
}
