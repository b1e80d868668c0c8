/** The indexes of distributions: made when they are asked for and packages have changed, signed, and kept for a while. */
import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline as finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../../platform/db/connection.ts'
import type { DebianReleases } from '../../../../platform/db/schema.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { transact } from '../../../../platform/db/transact.ts'
import { breather, digestInSlices } from '../../../../platform/kernel/answer/time_slicing.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { notFound, unprocessable } from '../../../../platform/kernel/errors.ts'
import { filesInChannel, mayReadAll, type Where } from '../../queries.ts'
import { keyOf } from './distributions/commands.ts'
import type { DistributionRow } from './distributions/entity.ts'
import {
  type Described,
  type FileMetadata,
  filesOfIndexes,
  type IndexedFile,
  indexText,
  type ListedInIndex,
  releaseText,
} from './indexes.ts'
import { excessOf } from './limits.ts'
import { binaryKinds } from './names.ts'

/** States of a distribution whose indexes are kept: a client that began with one reads the rest of it. */
const MOST_STATES = 10

export type ReleaseRow = Selectable<DebianReleases>

/** A distribution, and where its packages are. */
export interface Listing {
  readonly distribution: DistributionRow
  readonly where: Where
}

/** The files that a distribution lists, by their names alone: what is kept of them may be large. */
const listedFiles = (db: Db, { distribution, where }: Listing) =>
  filesInChannel(db, where, { package_type: 'debian', name: distribution.codename }).where(
    sql<boolean>`package_files.file_name ~ ${`[.](${[...binaryKinds, 'dsc'].join('|')})$`}`,
  )

/** What the indexes depend on, as a digest: of the distribution, and of the files that the caller may read. */
async function stateOf(db: Db, listing: Listing): Promise<string> {
  const { ids } = await db
    .selectFrom(listedFiles(db, listing).clearSelect().select('package_files.id').as('listed'))
    .select(sql<string>`coalesce(string_agg(id::text, ',' order by id), '')`.as('ids'))
    .executeTakeFirstOrThrow()
  return createHash('sha256').update(`${listing.distribution.updated_at}\n${ids}`).digest('hex')
}

/** The release of a state; undefined where there is none, or where half of the time that it is valid for is over. */
async function releaseOf(db: Db, { now }: Context, { id, valid_time_duration_seconds: validity }: DistributionRow, state: string) {
  const release = await db
    .selectFrom('debian_releases')
    .selectAll()
    .where('distribution_id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  const isFresh = release && (validity === null || new Date(release.created_at).getTime() + validity * 500 > now.getTime())
  return isFresh ? release : undefined
}

/**
 * What a distribution lists now, for the one who asks. It is made where there is nothing of this state.
 * @throws Refusal 422 for one that lists too much
 */
export async function currentRelease(ctx: Context, listing: Listing): Promise<ReleaseRow> {
  const { db } = ctx
  return (await releaseOf(db, ctx, listing.distribution, await stateOf(db, listing))) ?? makeRelease(ctx, listing)
}

const said = (field: 'kind' | 'component' | 'architecture') => sql<string | null>`package_files.metadata->>${sql.lit(field)}`

/** Files of which what they say of themselves is in memory at a time. */
const BATCH = 50

async function* withMetadata(db: Db, files: readonly ListedInIndex[]): AsyncGenerator<IndexedFile[]> {
  for (let from = 0; from < files.length; from += BATCH) {
    const some = files.slice(from, from + BATCH)
    const ids = anyOf(some.map(({ id }) => id))
    const rows = await db.selectFrom('package_files').select(['id', 'metadata']).where('id', '=', ids).execute()
    const metadata = new Map(rows.map(row => [row.id, row.metadata as unknown as FileMetadata]))
    yield some.flatMap(file => (metadata.has(file.id) ? [{ ...file, metadata: metadata.get(file.id) as FileMetadata }] : []))
  }
}

const makeRelease = (ctx: Context, { distribution: { id }, where }: Listing): Promise<ReleaseRow> =>
  transact(ctx.deps.database.db, async db => {
    const distribution = await db.selectFrom('debian_distributions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!distribution) throw notFound('Distribution')
    const listing = { distribution, where }
    const state = await stateOf(db, listing)
    const made = await releaseOf(db, ctx, distribution, state)
    if (made) return made
    // Of a group all of its projects together may have more than each.
    const excess = await excessOf(db, where, distribution)
    if (excess !== undefined) throw unprocessable(`The indexes cannot be made: ${excess}`)
    const files = await listedFiles(db, listing)
      .clearSelect()
      .select(['package_files.id', 'package_files.file_name', 'package_files.size'])
      .select(['package_files.file_md5', 'package_files.file_sha1', 'package_files.file_sha256'])
      .select([said('kind').as('kind'), said('component').as('component'), said('architecture').as('architecture')])
      .select(['packages.name', 'packages.version', 'packages.project_id'])
      .orderBy('package_files.id')
      .execute()
    const described = { ...distribution, isOfGroup: distribution.namespace_id !== null }
    const release = await keepRelease(db, ctx, distribution, described, state, files as ListedInIndex[])
    await dropFormer(db, id)
    return release
  })

async function keepRelease(
  db: Db,
  ctx: Context,
  distribution: DistributionRow,
  described: Described,
  state: string,
  files: readonly ListedInIndex[],
): Promise<ReleaseRow> {
  const indexes: (Packed & { readonly path: string })[] = []
  for (const [path, listed] of filesOfIndexes(described, files))
    indexes.push({ path, ...(await packed(indexText(described, withMetadata(db, listed)))) })
  const summed = indexes.flatMap(({ path, size, sha256, compressed, compressed_sha256 }) => [
    { path, size, sha256 },
    { path: `${path}.gz`, size: compressed.length, sha256: compressed_sha256 },
  ])
  const { now } = ctx
  const text = releaseText(described, summed, now)
  const key = keyOf(ctx, distribution)
  await db.deleteFrom('debian_releases').where('distribution_id', '=', distribution.id).where('state', '=', state).execute()
  const release = await db
    .insertInto('debian_releases')
    .values({
      distribution_id: distribution.id,
      state,
      project_ids: [...new Set(files.map(file => file.project_id))],
      release: text,
      signature: key.detached(text, now),
      in_release: key.clearSigned(text, now),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('debian_indexes')
    .values(
      indexes.map(({ path, sha256, compressed, compressed_sha256 }) => ({
        release_id: release.id,
        path,
        sha256,
        compressed,
        compressed_sha256,
      })),
    )
    .execute()
  return release
}

/** An index as it is kept. */
interface Packed {
  /** Of the text, in bytes. */
  readonly size: number
  readonly sha256: string
  readonly compressed: Buffer
  readonly compressed_sha256: string
}

/** Compresses a text that comes in pieces, so that other requests are served in between. */
async function packed(text: AsyncIterable<string>): Promise<Packed> {
  const pause = breather()
  const hash = createHash('sha256')
  let size = 0
  async function* pieces() {
    for await (const piece of text) {
      await pause()
      const bytes = Buffer.from(piece)
      size += bytes.length
      hash.update(bytes)
      yield bytes
    }
  }
  const gzip = createGzip()
  const [compressed] = await Promise.all([buffer(gzip), finished(pieces, gzip)])
  return { size, sha256: hash.digest('hex'), compressed, compressed_sha256: await digestInSlices(compressed, 'sha256', 'hex') }
}

/** Drops all but the last releases of a distribution. */
const dropFormer = (db: Db, distributionId: number) =>
  db
    .deleteFrom('debian_releases')
    .where('distribution_id', '=', distributionId)
    .where('id', 'not in', former =>
      former
        .selectFrom('debian_releases')
        .select('id')
        .where('distribution_id', '=', distributionId)
        .orderBy('id', 'desc')
        .limit(MOST_STATES),
    )
    .execute()

/** An index with its media type, and the digest and the age of its bytes. */
interface Index {
  readonly digest: string
  readonly madeAt: Date
  readonly body: Buffer | Readable
  readonly isCompressed: boolean
}

/** An index by its name, as of now, or by its digest, as of any state that is kept. @throws Refusal 404 */
export async function indexAt(ctx: Context, listing: Listing, path: string): Promise<Index> {
  const [, folder, digest] = /^(.+)\/by-hash\/SHA256\/([0-9a-f]{64})$/.exec(path) ?? []
  return folder === undefined || digest === undefined ? indexNamed(ctx, listing, path) : indexOfDigest(ctx, listing, folder, digest)
}

async function indexNamed(ctx: Context, listing: Listing, path: string): Promise<Index> {
  const release = await currentRelease(ctx, listing)
  const row = await ctx.db
    .selectFrom('debian_indexes')
    .select(['compressed', 'sha256', 'compressed_sha256'])
    .where('release_id', '=', release.id)
    .where('path', '=', path.replace(/\.gz$/, ''))
    .executeTakeFirst()
  if (!row) throw notFound('Index')
  return bodyOf({ ...row, created_at: release.created_at }, path.endsWith('.gz'))
}

async function indexOfDigest({ db }: Context, { distribution, where }: Listing, folder: string, digest: string): Promise<Index> {
  const row = await db
    .selectFrom('debian_indexes')
    .innerJoin('debian_releases', 'debian_releases.id', 'debian_indexes.release_id')
    .select(['debian_indexes.compressed', 'debian_indexes.sha256', 'debian_indexes.compressed_sha256', 'debian_releases.created_at'])
    .where('debian_releases.distribution_id', '=', distribution.id)
    .where('debian_indexes.path', 'in', [`${folder}/Packages`, `${folder}/Sources`])
    .where(({ or, eb }) => or([eb('debian_indexes.sha256', '=', digest), eb('debian_indexes.compressed_sha256', '=', digest)]))
    .where(mayReadAll(where, sql<number[]>`debian_releases.project_ids`))
    .orderBy('debian_indexes.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('Index')
  return bodyOf(row, row.sha256 !== digest)
}

/** A row of an index, with the time of its release. */
interface Kept {
  readonly compressed: Buffer
  readonly sha256: string
  readonly compressed_sha256: string
  readonly created_at: string
}

const bodyOf = ({ compressed, sha256, compressed_sha256, created_at }: Kept, isCompressed: boolean): Index => ({
  body: isCompressed ? compressed : unpacked(compressed),
  isCompressed,
  digest: isCompressed ? compressed_sha256 : sha256,
  madeAt: new Date(created_at),
})

/** Bytes that are unpacked at a time. */
const UNPACKED = 64 * 1024

/** The text of an index as it is sent. Who sends it sees an error of it. */
const unpacked = (compressed: Buffer): Readable => pipeline(Readable.from([compressed]), createGunzip({ chunkSize: UNPACKED }), () => {})
