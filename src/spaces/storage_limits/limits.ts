/**
 * What a push may bring and a project may store. Whatever adds to a project reserves its room here before it comes: pushes and commits of the API,
 * copies from other repositories, imports, LFS objects, packages, container images, uploads, metric images and Terraform states.
 */

import type { Db } from '../../platform/db/connection.ts'
import type { PackLimit } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import type { Stored } from '../projects/repository/store.ts'
import { storedIn } from './measure.ts'
import { storageLimitsOf } from './queries.ts'
import { Reservation, shareOfOutsiders } from './reservations.ts'

type Means = Pick<Deps, 'storages' | 'database' | 'log'>

const inMegabytes = (bytes: number): string => `${Math.round((bytes / (1024 * 1024)) * 10) / 10} MB`

/** The messages for clients. */
export const lines = {
  push: (limit: number) => `The push is larger than the ${inMegabytes(limit)} that it may have.`,
  project: (limit: number) =>
    `The project would exceed its size limit of ${inMegabytes(limit)}. An administrator can raise it (repository_size_limit).`,
  outsiders: (limit: number) =>
    `Files of users who are not members would take more than ${inMegabytes(shareOfOutsiders(limit))} of the room of the project.`,
} as const

/**
 * Must packs that are pushed to a project hold all that they are built on? Where its size is limited, they must: what a thin pack leans on would be
 * stored again, uncounted.
 */
export const refusesThinPacks = async (db: Db, projectId: number | undefined): Promise<boolean> =>
  (await storageLimitsOf(db, projectId)).project !== undefined

/**
 * What the pack of a push may have, and the lines for one that has more; undefined where there is no limit. To be ended. Without a project,
 * what is pushed belongs to none, and has no limit but that of a push.
 */
export async function packLimitOf(means: Means, project: Stored | undefined): Promise<PackLimit | undefined> {
  const { push, project: size } = await storageLimitsOf(means.database.db, project?.id)
  if (push === undefined && size === undefined) return undefined
  const room = project && new Reservation(means, project)
  return {
    refusesThin: size !== undefined,
    async refusalOf({ bytes, indexBytes }) {
      if (push !== undefined && bytes > push) return lines.push(push)
      return size === undefined || !room || (await room.holds(bytes + indexBytes)) ? undefined : lines.project(size)
    },
    end: async () => room?.release(),
  }
}

/**
 * Does `work`, which writes a commit of these bytes: to a project it is what a push is.
 * @throws Refusal 400 where they are too many
 */
export async function withRoomForCommit<T>(means: Means, project: Stored | undefined, bytes: number, work: () => Promise<T>): Promise<T> {
  const limit = await packLimitOf(means, project)
  try {
    const refusal = await limit?.refusalOf({ bytes, indexBytes: 0 })
    if (refusal !== undefined) throw new Refusal('bad_request', { message: refusal })
    return await work()
  } finally {
    await limit?.end()
  }
}

/**
 * Does `work`, which brings something from another repository of the instance; `bytes` tells how much, and is asked where there is a limit.
 * @throws Refusal 400 where the project has no room for it, or more than its limit already
 */
export async function withRoomForCopy<T>(means: Means, project: Stored, bytes: () => Promise<number>, work: () => Promise<T>): Promise<T> {
  const { project: limit } = await storageLimitsOf(means.database.db, project.id)
  if (limit === undefined) return work()
  const room = new Reservation(means, project)
  try {
    await assertHeld(means, room, project, await bytes(), limit, 'bad_request')
    return await work()
  } finally {
    await room.release()
  }
}

/**
 * Does `work`, which brings what tells its size only while it comes. It is given the bytes that the project may have in all, and nothing else is stored
 * there meanwhile; undefined where there is no limit.
 */
export async function withRestOfRoom<T>(means: Means, project: Stored, work: (most: number | undefined) => Promise<T>): Promise<T> {
  const { db } = means.database
  if ((await storageLimitsOf(db, project.id)).project === undefined) return work(undefined)
  const room = new Reservation(means, project)
  try {
    const rest = await room.holdRest()
    return await work((await storedIn(means, db, project)) + rest)
  } finally {
    await room.release()
  }
}

/**
 * Does `work`, which keeps a file of these bytes beside the repository. It gives the room back by `stored`, in the transaction whose row counts from
 * then on. What comes from a user who is no member of the project (`ofOutsider`) has a share of the room, together with all such files.
 * @throws Refusal 413 where the project has no room for them
 */
export async function withRoomForFile<T>(
  means: Means,
  project: Stored,
  { bytes, ofOutsider = false }: { readonly bytes: number; readonly ofOutsider?: boolean },
  work: (stored: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { project: limit } = await storageLimitsOf(means.database.db, project.id)
  if (limit === undefined || bytes === 0) return work(async () => {})
  const room = new Reservation(means, project, { ofOutsider })
  try {
    if (ofOutsider && bytes > shareOfOutsiders(limit)) throw new Refusal('too_large', { message: lines.outsiders(limit) })
    await assertHeld(means, room, project, bytes, limit, 'too_large')
    return await work(db => room.release(db))
  } finally {
    await room.release()
  }
}

/**
 * For files that are only announced: nothing is reserved.
 * @throws Refusal 413 where a project has no room for these bytes
 */
export async function assertRoomForFiles(means: Means, project: Stored, bytes: number): Promise<void> {
  await withRoomForFile(means, project, { bytes }, async () => {})
}

/** Nothing more comes into a project that is over its limit, however small. */
async function assertHeld(
  means: Means,
  room: Reservation,
  project: Stored,
  bytes: number,
  limit: number,
  kind: 'bad_request' | 'too_large',
): Promise<void> {
  const isHeld = bytes > 0 ? await room.holdsExactly(bytes) : (await storedIn(means, means.database.db, project)) <= limit
  if (!isHeld) throw new Refusal(kind, { message: room.isOfOutsider ? lines.outsiders(limit) : lines.project(limit) })
}
