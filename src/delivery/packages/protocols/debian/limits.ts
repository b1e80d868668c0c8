/** How much a distribution may list: its indexes are made of all of it, in memory. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/connection.ts'
import { bytesSaid, filesInChannel, type Where } from '../../queries.ts'
import type { DistributionRow } from './distributions/entity.ts'

/** Files of one project. */
const MOST_FILES = 20_000

/** Bytes of what all files say of themselves. A small package may say much: its control file is compressed. */
const MOST_BYTES = 64 * 1024 * 1024

/** Why a distribution lists too much, as a sentence; undefined where it does not. One statement. */
export async function excessOf(db: Db, where: Where, { codename }: Pick<DistributionRow, 'codename'>): Promise<string | undefined> {
  const { count, bytes } = await filesInChannel(db, where, { package_type: 'debian', name: codename })
    .clearSelect()
    .select([sql<number>`count(*)`.as('count'), bytesSaid.as('bytes')])
    .executeTakeFirstOrThrow()
  if ('projectId' in where && count > MOST_FILES) return `the distribution would have more than ${MOST_FILES} files`
  return bytes > MOST_BYTES ? `the packages of the distribution say more of themselves than ${MOST_BYTES} bytes` : undefined
}
