/** Writes of manifests and tags. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { assertImageAllows } from '../registry_protection/rights.ts'
import { assertTagsDeletable, assertTagsPushable, tagProtected } from '../registry_protection/tags/rights.ts'
import { RegistryRefusal, unknownManifest } from './distribution/refusals.ts'
import { BadManifest, createdAtIn, type Descriptor, dateOf, type ManifestDocument, readManifest } from './document.ts'
import { algorithmOf, imageNameOf, isDigest } from './names.ts'
import { type BlobRow, blobsIn, manifestsAbove, type RepositoryRow } from './queries.ts'

/** Bytes that a manifest may have. */
export const MANIFEST_LIMIT = 4 * 1024 * 1024
/** Characters of the annotations of a manifest that is about another one: lists of those show them. */
const MOST_ANNOTATED = 64 * 1024
/**
 * Bytes of a configuration that is read, at each push, for the time when its image was made. Most have a few thousand, some with long labels a hundred
 * thousand. The worst of this size takes ten milliseconds; one of 4 MB took a quarter of a second.
 */
const CONFIG_LIMIT = 256 * 1024

/** What a client pushes as a manifest. */
export interface NewManifest {
  readonly payload: Buffer
  readonly mediaType: string | undefined
  /** A tag or a digest. */
  readonly reference: string
  /** Tags that name it besides. */
  readonly tags?: readonly string[]
}

/** A manifest that is kept. */
export interface KeptManifest {
  readonly digest: string
  readonly subject: string | undefined
}

const parse = ({ payload, mediaType }: NewManifest): ManifestDocument => {
  try {
    return readManifest(payload, mediaType)
  } catch (error) {
    if (error instanceof BadManifest) throw new RegistryRefusal('MANIFEST_INVALID', `manifest invalid: ${error.message}`)
    throw error
  }
}

const digestedAs = (payload: Buffer, algorithm: 'sha256' | 'sha512'): string =>
  `${algorithm}:${createHash(algorithm).update(payload).digest('hex')}`

/**
 * Keeps a manifest, and makes a tag name it where the reference is one, in the transaction of the request.
 * @throws Refusal 400 for what is no manifest, for one that names what is not there, and for one that is kept under another type; 403 where a tag is protected
 */
export async function keepManifest(ctx: Context, repository: RepositoryRow, given: NewManifest): Promise<KeptManifest> {
  const { db, now } = ctx
  const document = parse(given)
  const { payload, reference, tags = [] } = given
  const digest = digestedAs(payload, isDigest(reference) ? algorithmOf(reference) : 'sha256')
  if (isDigest(reference) && reference !== digest)
    throw new RegistryRefusal('DIGEST_INVALID', 'provided digest did not match uploaded content', { digest: reference })
  const blobs = await lockedBlobs(ctx, repository, document)
  const children = await lockedChildren(db, repository, document)
  const layers = new Set(document.layers.map(layer => layer.digest))
  const values = {
    media_type: document.mediaType,
    artifact_type: document.artifactType ?? document.config?.mediaType ?? null,
    subject_digest: document.subject?.digest ?? null,
    annotations: shownAnnotations(document),
    config_digest: document.config?.digest ?? null,
    total_size:
      sumOf(blobs.filter(blob => layers.has(blob.digest)).map(({ size }) => size)) + sumOf(children.map(child => child.total_size)),
    image_created_at: await createdAt(ctx, document, blobs, children),
  }
  const kept = await db
    .insertInto('container_manifests')
    .values({ repository_id: repository.id, digest, payload, size: payload.length, created_at: now, ...values })
    .onConflict(conflict =>
      conflict
        .constraint('container_manifests_digest_key')
        .doUpdateSet(values)
        .where('container_manifests.media_type', '=', document.mediaType),
    )
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw otherType(digest, document)
  const { id } = kept
  await link(db, id, repository, blobs, children)
  // Two requests with the same tags lock them in the same order.
  const named = isDigest(reference) ? tags.toSorted() : [reference]
  const immutable = await assertTagsPushable(ctx, repository.project_id, named)
  for (const name of named) await tag(ctx, repository, { name, isImmutable: immutable.has(name) }, id)
  await db.updateTable('container_repositories').set({ updated_at: now }).where('id', '=', repository.id).execute()
  return { digest, subject: document.subject?.digest }
}

/** 400 for a digest that is kept under another type: those who pull it by a tag or in an index get what was pushed first. */
const otherType = (digest: string, { mediaType }: ManifestDocument) =>
  new RegistryRefusal('MANIFEST_INVALID', `manifest invalid: it is kept, and not as ${mediaType}; delete it to push it as that`, { digest })

/** The annotations that the list of those about another manifest shows. @throws Refusal 400 where they are too long for it */
function shownAnnotations({ subject, annotations }: ManifestDocument): string | null {
  if (!subject || !annotations) return null
  const shown = JSON.stringify(annotations)
  if (shown.length > MOST_ANNOTATED)
    throw new RegistryRefusal('MANIFEST_INVALID', `manifest invalid: annotations have more than ${MOST_ANNOTATED} characters`)
  return shown
}

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)

/** The blobs that a manifest names, locked against the collector of garbage. */
async function lockedBlobs({ db }: Context, repository: RepositoryRow, document: ManifestDocument): Promise<BlobRow[]> {
  const named = [...(document.config ? [document.config] : []), ...document.layers]
  if (named.length === 0) return []
  const digests = [...new Set(named.map(({ digest }) => digest))]
  const found = await blobsIn(db, repository.id, digests).forKeyShare('container_repository_blobs').execute()
  if (document.isKnown)
    assertThere(
      named.filter(blob => !blob.isForeign),
      new Map(found.map(({ digest, size }) => [digest, size])),
    )
  return found
}

/** The manifests that an index names, locked likewise. */
async function lockedChildren(db: Db, repository: RepositoryRow, { manifests, isKnown }: ManifestDocument) {
  if (manifests.length === 0) return []
  const found = await db
    .selectFrom('container_manifests')
    .select(['id', 'digest', 'size', 'total_size', 'image_created_at'])
    .where('repository_id', '=', repository.id)
    .where('digest', '=', anyOf([...new Set(manifests.map(({ digest }) => digest))]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (isKnown) assertThere(manifests, new Map(found.map(({ digest, size }) => [digest, size])))
  return found
}

function assertThere(named: readonly Descriptor[], sizes: ReadonlyMap<string, number>): void {
  for (const { digest, size } of named) {
    const actual = sizes.get(digest)
    if (actual === undefined) throw new RegistryRefusal('MANIFEST_BLOB_UNKNOWN', 'blob unknown to registry', { digest })
    if (size !== undefined && size !== actual)
      throw new RegistryRefusal('MANIFEST_INVALID', `manifest invalid: the size of ${digest} is not ${size}`, { digest })
  }
}

async function createdAt(
  { deps, now }: Context,
  { config, annotations }: ManifestDocument,
  blobs: readonly BlobRow[],
  children: readonly { readonly image_created_at: string }[],
): Promise<Date> {
  const blob = blobs.find(({ digest }) => digest === config?.digest)
  const isReadable = blob && blob.size > 0 && blob.size <= CONFIG_LIMIT && /json/.test(config?.mediaType ?? '')
  const said = isReadable ? createdAtIn(await buffer(await deps.objects.read(blob.key))) : undefined
  const newest = children
    .map(child => child.image_created_at)
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1)
  return said ?? dateOf(annotations?.['org.opencontainers.image.created']) ?? dateOf(newest) ?? now
}

async function link(
  db: Db,
  manifestId: number,
  repository: RepositoryRow,
  blobs: readonly BlobRow[],
  children: readonly { readonly id: number }[],
): Promise<void> {
  if (blobs.length > 0)
    await db
      .insertInto('container_manifest_blobs')
      .values(blobs.map(({ id }) => ({ manifest_id: manifestId, repository_id: repository.id, blob_id: id })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  if (children.length === 0) return
  await db
    .insertInto('container_manifest_children')
    .values(children.map(({ id }) => ({ parent_id: manifestId, child_id: id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const ids = anyOf(children.map(({ id }) => id))
  await db
    .updateTable('container_manifests')
    .set({ untagged_at: null })
    .where('id', '=', ids)
    .where('untagged_at', 'is not', null)
    .execute()
}

/** A tag that is to name a manifest. */
interface GivenTag {
  readonly name: string
  /** One that names another manifest keeps it. */
  readonly isImmutable: boolean
}

/** Makes a tag name a manifest. What it named before is without a tag now, if it has no other one. @throws Refusal 403 for an immutable one */
async function tag({ db, now }: Context, { id: repository_id }: RepositoryRow, given: GivenTag, manifestId: number): Promise<void> {
  const { name, isImmutable } = given
  const before = await db
    .selectFrom('container_tags')
    .select('manifest_id')
    .where('repository_id', '=', repository_id)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  const made = await db
    .insertInto('container_tags')
    .values({ repository_id, name, manifest_id: manifestId, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.constraint('container_tags_name_key').doUpdateSet({ manifest_id: manifestId, updated_at: now }))
    // Another request may have made it meanwhile.
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirstOrThrow()
  if (isImmutable && (before ? before.manifest_id !== manifestId : !made.is_new)) throw tagProtected()
  await db
    .updateTable('container_manifests')
    .set({ untagged_at: null })
    .where('id', '=', manifestId)
    .where('untagged_at', 'is not', null)
    .execute()
  if (before && before.manifest_id !== manifestId) await markUntagged(db, [before.manifest_id], now)
}

/** Notes of manifests that nothing names any more that this is so: they are kept for a while. */
export async function markUntagged(db: Db, manifestIds: readonly number[], now: Date): Promise<void> {
  if (manifestIds.length === 0) return
  await sql`
    update container_manifests set untagged_at = ${now}
     where id = ${anyOf(manifestIds)} and untagged_at is null
       and not exists (select from container_tags where manifest_id = container_manifests.id)
       and not exists (select from container_manifest_children where child_id = container_manifests.id)`.execute(db)
}

/** @throws Refusal 403 where a rule protects the images of the repository from deletion by the caller */
export const assertDeletable = (ctx: Context, { project_id, name }: RepositoryRow): Promise<void> =>
  assertImageAllows(ctx, project_id, name, 'delete')

/**
 * Deletes tags of a repository, in the transaction of the request; what they named stays for a while.
 * @param manifestIds of each name the one that it named when it was chosen; a tag that names another one now stays
 * @throws Refusal 403 where one of them, or the image, is protected
 */
export async function removeTags(
  ctx: Context,
  repository: RepositoryRow,
  names: readonly string[],
  manifestIds?: readonly number[],
): Promise<number> {
  const { db, now, actor } = ctx
  if (names.length === 0) return 0
  await assertDeletable(ctx, repository)
  await assertTagsDeletable(ctx, repository.project_id, names)
  let doomed = db.deleteFrom('container_tags').where('repository_id', '=', repository.id)
  doomed = manifestIds
    ? doomed.where(sql<boolean>`(name, manifest_id) in (select * from unnest(${names}::text[], ${manifestIds}::bigint[]))`)
    : doomed.where('name', '=', anyOf(names))
  const removed = await doomed.returning(['name', 'manifest_id']).execute()
  if (removed.length === 0) return 0
  await markUntagged(db, [...new Set(removed.map(({ manifest_id }) => manifest_id))], now)
  await recordEvent(ctx, {
    kind: 'container_tags.deleted',
    payload: { repository_id: repository.id, image: imageNameOf(repository), tags: removed.map(({ name }) => name).slice(0, 100) },
    actorId: actor.user?.id,
    projectId: repository.project_id,
  })
  return removed.length
}

/**
 * Deletes a manifest with the tags that name it.
 * @throws Refusal 403 where the image, or a tag that names it or an index above it, is protected; 404 where it went meanwhile
 */
export async function removeManifest(
  ctx: Context,
  repository: RepositoryRow,
  { id, digest }: { id: number; digest: string },
): Promise<void> {
  const { db, now, actor } = ctx
  await assertDeletable(ctx, repository)
  if (!(await lockManifests(db, [id])).includes(id)) throw unknownManifest(digest)
  await assertTagsDeletable(ctx, repository.project_id, await tagNamesAbove(db, id))
  const children = await dropManifest(db, id)
  await markUntagged(db, children, now)
  await recordEvent(ctx, {
    kind: 'container_manifest.deleted',
    payload: { repository_id: repository.id, image: imageNameOf(repository), digest },
    actorId: actor.user?.id,
    projectId: repository.project_id,
  })
}

/** Locks manifests: until the transaction ends no tag and no index comes to name one of them. Returns those that are still there. */
async function lockManifests(db: Db, ids: readonly number[]): Promise<number[]> {
  const locked = await db.selectFrom('container_manifests').select('id').where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()
  return locked.map(row => row.id)
}

/** The tags that a locked manifest is pulled by: its own, and those of the indexes that name it, which are locked too. */
async function tagNamesAbove(db: Db, id: number): Promise<string[]> {
  const locked = new Set([id])
  // While the lock of an index was waited for, another one may have come to name it.
  for (;;) {
    const others = (await manifestsAbove(db, id)).filter(each => !locked.has(each))
    if (others.length === 0) break
    await lockManifests(db, others)
    for (const each of others) locked.add(each)
  }
  const tags = await db
    .selectFrom('container_tags')
    .select('name')
    .where('manifest_id', '=', anyOf([...locked]))
    .execute()
  return tags.map(({ name }) => name)
}

/** Deletes the row of a manifest, and returns the manifests that it named. */
export async function dropManifest(db: Db, id: number): Promise<number[]> {
  const children = await db.deleteFrom('container_manifest_children').where('parent_id', '=', id).returning('child_id').execute()
  await db.deleteFrom('container_manifests').where('id', '=', id).execute()
  return children.map(({ child_id }) => child_id)
}

/** Deletes a repository with all that it has. @throws Refusal 403 where it, or one of its tags, is protected */
export async function removeRepository(ctx: Context, repository: RepositoryRow): Promise<void> {
  const { db, actor } = ctx
  await assertDeletable(ctx, repository)
  // A tag that comes meanwhile is seen, or finds no repository.
  await db.selectFrom('container_repositories').select('id').where('id', '=', repository.id).forUpdate().execute()
  const tags = await db.selectFrom('container_tags').select('name').where('repository_id', '=', repository.id).execute()
  await assertTagsDeletable(
    ctx,
    repository.project_id,
    tags.map(({ name }) => name),
  )
  await db.deleteFrom('container_repositories').where('id', '=', repository.id).execute()
  await recordEvent(ctx, {
    kind: 'container_repository.deleted',
    payload: { repository_id: repository.id, image: imageNameOf(repository) },
    actorId: actor.user?.id,
    projectId: repository.project_id,
  })
}
