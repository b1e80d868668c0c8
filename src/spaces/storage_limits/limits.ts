/**
 * What a push may bring and a project may store. Whatever adds to a project asks here: pushes and commits of the API, LFS objects and uploads.
 */

import type { Db } from '../../platform/db/connection.ts'
import { repositorySize } from '../../platform/git/storage/storage.ts'
import type { PackLimit } from '../../platform/git/transport/pack-limit.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { findRepository, type Stored } from '../projects/repository/store.ts'
import { attachedBytes, storageLimitsOf } from './queries.ts'

type Means = Pick<Deps, 'storages'>

const inMegabytes = (bytes: number): string => `${Math.round((bytes / (1024 * 1024)) * 10) / 10} MB`

/** What a client is told. */
export const lines = {
  push: (limit: number) => `The push is larger than the ${inMegabytes(limit)} that it may have.`,
  project: (limit: number) =>
    `The project would exceed its size limit of ${inMegabytes(limit)}. An administrator can raise it (repository_size_limit).`,
} as const

/** Bytes on disk of what git keeps for a project. */
async function repositoryBytes({ storages }: Means, project: Stored): Promise<number> {
  const repository = await findRepository(storages, project)
  return repository ? repositorySize(repository) : 0
}

/** Bytes that a project stores. */
const storedIn = async (means: Means, db: Db, project: Stored): Promise<number> =>
  (await repositoryBytes(means, project)) + (await attachedBytes(db, project.id))

/** Bytes that a project may still store, with its limit; undefined where it has none. */
async function roomIn(means: Means, db: Db, project: Stored): Promise<{ readonly limit: number; readonly left: number } | undefined> {
  const { project: limit } = await storageLimitsOf(db, project.id)
  if (limit === undefined) return undefined
  return { limit, left: Math.max(0, limit - (await storedIn(means, db, project))) }
}

/**
 * Must packs that are pushed to a project hold all that they are built on? Where its size is limited, they must: what a thin pack leans on would be
 * stored again, uncounted.
 */
export const refusesThinPacks = async (db: Db, projectId: number): Promise<boolean> =>
  (await storageLimitsOf(db, projectId)).project !== undefined

/** What comes into a project while one push or several are under way: they share what room there is. */
interface Intake {
  /** Bytes that the project may still store, those of the pushes under way not counted; as measured when a push last joined or ended. */
  left: number
  /** Bytes of each push under way. */
  readonly received: Map<symbol, number>
}

/** By project. Known to this process alone: where several serve one project, each has the room. */
const intakes = new Map<number, Intake>()

/** Bytes that the project may still store now. */
const leftIn = async (means: Means, db: Db, project: Stored): Promise<number> =>
  (await roomIn(means, db, project))?.left ?? Number.POSITIVE_INFINITY

/** What the pack of a push may have, and the line for one that has more; undefined where there is no limit. To be ended. */
export async function packLimitOf(means: Means, db: Db, project: Stored): Promise<PackLimit | undefined> {
  const { push, project: size } = await storageLimitsOf(db, project.id)
  if (size === undefined)
    return push === undefined
      ? undefined
      : { line: lines.push(push), refusesThin: false, allows: ({ bytes }) => bytes <= push, end: async () => {} }
  const own = Symbol('push')
  const intake = intakes.get(project.id) ?? { left: 0, received: new Map() }
  intake.received.set(own, 0)
  intakes.set(project.id, intake)
  const leave = () => {
    intake.received.delete(own)
    if (intake.received.size === 0) intakes.delete(project.id)
  }
  try {
    intake.left = await leftIn(means, db, project)
  } catch (error) {
    leave()
    throw error
  }
  return {
    line: push !== undefined && push < intake.left ? lines.push(push) : lines.project(size),
    refusesThin: true,
    allows({ bytes, indexBytes }) {
      intake.received.set(own, bytes + indexBytes)
      const all = intake.received.values().reduce((sum, received) => sum + received, 0)
      const isWithin = all <= intake.left && (push === undefined || bytes <= push)
      // What is refused is not kept.
      if (!isWithin) intake.received.set(own, 0)
      return isWithin
    },
    async end() {
      // What was kept is on disk, and measured; what was not is given back. Both in one step: nothing is counted twice, or nowhere.
      try {
        intake.left = await leftIn(means, db, project)
      } finally {
        leave()
      }
    },
  }
}

/**
 * Does `work`, which writes a commit of these bytes: to a project it is what a push is.
 * @throws Refusal 400 where they are too many
 */
export async function withRoomForCommit<T>(means: Means, db: Db, project: Stored, bytes: number, work: () => Promise<T>): Promise<T> {
  const limit = await packLimitOf(means, db, project)
  try {
    if (limit && !limit.allows({ bytes, indexBytes: 0 })) throw new Refusal('bad_request', { message: limit.line })
    return await work()
  } finally {
    await limit?.end()
  }
}

/**
 * For what comes from another repository of the instance, or is merged: `bytes` tells how many there are, and is asked where there is a limit.
 * @throws Refusal 400 where the project has no room for them, or more than its limit already
 */
export async function assertRoomForCopy(means: Means, db: Db, project: Stored, bytes: () => Promise<number>): Promise<void> {
  const { project: limit } = await storageLimitsOf(db, project.id)
  if (limit === undefined) return
  if ((await storedIn(means, db, project)) + (await bytes()) > limit) throw new Refusal('bad_request', { message: lines.project(limit) })
}

/**
 * For files beside the repository. Asked before they come, and again in the transaction that keeps them, with 0: they are counted then.
 * @throws Refusal 413 where a project has no room for these bytes
 */
export async function assertRoomForFiles(means: Means, db: Db, project: Stored, bytes: number): Promise<void> {
  const { project: limit } = await storageLimitsOf(db, project.id)
  if (limit === undefined) return
  if ((await storedIn(means, db, project)) + bytes > limit) throw new Refusal('too_large', { message: lines.project(limit) })
}
