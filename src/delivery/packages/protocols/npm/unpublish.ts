/**
 * What `npm unpublish` sends. For one version of several it fetches the document of the package, sends it back without the version, and deletes the
 * tarball; the last version, or all of them, it deletes by one request. Each names the revision that was seen, so nothing is deleted that was
 * published meanwhile.
 */
import type { Readable } from 'node:stream'
import { transact } from '../../../../platform/db/transact.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { badRequest, conflict } from '../../../../platform/kernel/errors.ts'
import { assertPackagesAllow } from '../../../registry_protection/rights.ts'
import { removePackages, tagPackage, untagPackage } from '../../commands.ts'
import { newestFileIn } from '../../queries.ts'
import { isObject, type Json, jsonIn } from '../shared/body.ts'
import { DOCUMENT_LIMIT } from './document.ts'
import { isTagName } from './publish.ts'
import { type DistTags, distTags, lockVersionsOf, revisionOf, type VersionRow } from './versions.ts'

/** A package of npm in a project, as of a revision. */
export interface SeenPackage {
  readonly projectId: number
  readonly name: string
  readonly revision: string
}

/** The versions, locked, and their tags. @throws Refusal 409 where the package is not as it was seen */
async function lockSeen(ctx: Context, { projectId, name, revision }: SeenPackage) {
  const rows = await lockVersionsOf(ctx, projectId, name)
  const tags = await distTags(ctx, rows)
  if (revisionOf(rows, tags) !== revision) throw conflict('The package has changed since it was read')
  return { rows, tags }
}

/**
 * Deletes the versions that are not in the document, and makes the tags those of the document.
 * @throws Refusal 400 for a document that says something else, 409 where the package is not as it was seen
 */
export async function unpublishVersions(ctx: Context, seen: SeenPackage, body: Readable): Promise<void> {
  const said = await jsonIn(body, DOCUMENT_LIMIT, 'the body is no document of a package')
  if (!isObject(said) || said.name !== seen.name) throw badRequest('The name of the package is not the one in the address')
  // `npm owner` sends the people alone.
  if (!isObject(said.versions)) throw badRequest('"versions" is missing: the members of the project are the owners of its packages')
  const { versions, 'dist-tags': wanted } = said
  await transact(ctx.deps.database.db, async db => {
    const inTransaction = { ...ctx, db }
    const { rows, tags } = await lockSeen(inTransaction, seen)
    const [kept, removed] = [rows.filter(row => isSaid(row, versions)), rows.filter(row => !isSaid(row, versions))]
    if (Object.keys(versions).length > kept.length) throw badRequest('A version is published with its tarball')
    if (kept.length === 0) throw badRequest('The last version is deleted with the package')
    await removePackages(inTransaction, removed)
    if (isObject(wanted)) await retag(inTransaction, kept, tags, wanted)
  })
}

const isSaid = ({ version }: VersionRow, versions: Json) => Object.hasOwn(versions, version as string)

/**
 * Makes the tags of these versions the wanted ones. Tags of versions that are deleted go or move with the deletion.
 * @throws Refusal 403 for other changes, where a rule protects what is published
 */
async function retag(ctx: Context, kept: readonly VersionRow[], tags: DistTags, wanted: Json): Promise<void> {
  const byVersion = new Map(kept.map(row => [row.version, row]))
  const isOfRemoved = (tag: string) => Object.hasOwn(tags, tag) && !byVersion.has(tags[tag] as string)
  const moved = Object.entries(wanted).flatMap(([tag, version]) => {
    const row = typeof version === 'string' ? byVersion.get(version) : undefined
    if (!row) throw badRequest('A tag names a version of the package')
    if (!isTagName(tag)) throw badRequest('A tag is a word that is no version')
    return tags[tag] === version ? [] : [[tag, row.id] as const]
  })
  const dropped = Object.keys(tags).filter(tag => !Object.hasOwn(wanted, tag))
  const changed = [...moved.map(([tag]) => tag), ...dropped]
  if (!changed.every(isOfRemoved)) await assertPackagesAllow(ctx, 'push', kept)
  const [one] = kept as [VersionRow]
  await tagPackage(ctx.db, ctx, one, new Map(moved))
  await untagPackage(ctx.db, one, dropped)
}

/** Deletes all versions. */
export async function unpublishPackage(ctx: Context, seen: SeenPackage): Promise<void> {
  const { rows } = await lockSeen(ctx, seen)
  await removePackages(ctx, rows)
}

/** Deletes the version of a tarball, if it is still there: npm deletes the tarball of a version that is in no document any more. */
export async function unpublishTarball(ctx: Context, seen: SeenPackage, fileName: string): Promise<void> {
  const { rows } = await lockSeen(ctx, seen)
  const ids = rows.map(({ id }) => id)
  const file = await newestFileIn(ctx.db, ids, fileName)
  await removePackages(
    ctx,
    rows.filter(({ id }) => id === file?.package_id),
  )
}
