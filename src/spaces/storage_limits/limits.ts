/**
 * What a push may bring and a project may store. Whatever adds to a project asks here: pushes and commits of the API, LFS objects and uploads.
 */

import type { Db } from '../../platform/db/connection.ts'
import { repositorySize } from '../../platform/git/storage/storage.ts'
import type { PackLimit } from '../../platform/git/transport/receive-pack.ts'
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

/** Bytes that a project may still store, with its limit; undefined where it has none. */
async function roomIn(means: Means, db: Db, project: Stored): Promise<{ readonly limit: number; readonly left: number } | undefined> {
  const { project: limit } = await storageLimitsOf(db, project.id)
  if (limit === undefined) return undefined
  const [git, attached] = [await repositoryBytes(means, project), await attachedBytes(db, project.id)]
  return { limit, left: Math.max(0, limit - git - attached) }
}

/** The most that the pack of a push may have, and the line for one that has more; undefined where there is no limit. */
export async function packLimitOf(means: Means, db: Db, project: Stored): Promise<PackLimit | undefined> {
  const { push } = await storageLimitsOf(db, project.id)
  const room = await roomIn(means, db, project)
  if (room && (push === undefined || room.left < push)) return { bytes: room.left, line: lines.project(room.limit) }
  return push === undefined ? undefined : { bytes: push, line: lines.push(push) }
}

/**
 * For a commit of the API, which is to a project what a push is.
 * @throws Refusal 400 where these bytes are too many
 */
export async function assertRoomForCommit(means: Means, db: Db, project: Stored, bytes: number): Promise<void> {
  const limit = await packLimitOf(means, db, project)
  if (limit && bytes > limit.bytes) throw new Refusal('bad_request', { message: limit.line })
}

/**
 * For files beside the repository. Asked before they come, and again in the transaction that keeps them, with 0: they are counted then.
 * @throws Refusal 413 where a project has no room for these bytes
 */
export async function assertRoomForFiles(means: Means, db: Db, project: Stored, bytes: number): Promise<void> {
  const { project: limit } = await storageLimitsOf(db, project.id)
  if (limit === undefined) return
  const stored = (await repositoryBytes(means, project)) + (await attachedBytes(db, project.id))
  if (stored + bytes > limit) throw new Refusal('too_large', { message: lines.project(limit) })
}
