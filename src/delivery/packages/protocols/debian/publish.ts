/**
 * Uploads of files: one by one as `dput` does, until a `.changes` makes them a package of a distribution; or a binary package that says its
 * distribution and component itself. The signatures of uploads are not verified: the credential says who publishes.
 */

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { idsOf } from '../../../../identity/users/queries.ts'
import type { Place } from '../../../../platform/access/places.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { assertPackagesAllow } from '../../../registry_protection/rights.ts'
import { addFile, dropFiles, keepReceived, type MovedFile, mayPublish, mayPublishNamed, moveFiles, publishVersion } from '../../commands.ts'
import { fileByDigest, filesInChannel, filesOf, type PackageFileRow, type PackageRow } from '../../queries.ts'
import { type Announced, announcedSize, type Received, receiveFile } from '../../receive.ts'
import { unfitPackage } from '../shared/published.ts'
import { type Changes, changesIn, filesIn, type ListedFile, sourceIn } from './changes.ts'
import { type Fields, fieldOf, MOST_CONTROL, parseControl, withoutSignature } from './control.ts'
import { readBeginningOfDeb, readDeb, unfitReason } from './deb.ts'
import type { DistributionRow } from './distributions/entity.ts'
import { distributionNamed } from './distributions/queries.ts'
import type { FileMetadata } from './indexes.ts'
import { excessOf } from './limits.ts'
import {
  type BinaryKind,
  binaryFileName,
  dscFileName,
  type FileKind,
  isArchitecture,
  isBinary,
  isPackageName,
  isVersion,
  kindOf,
} from './names.ts'

/** How long files wait for the `.changes` that names them. */
const WAITING_HOURS = 24

/** Where a binary package goes without a `.changes`. */
export interface Destination {
  /** Codename or suite. */
  readonly distribution: string
  readonly component: string
}

/** The package of files that no `.changes` has named yet. It is in no list. */
const incoming = { package_type: 'debian', name: 'incoming', version: null, status: 'processing' } as const

/** A file that has come, with what it says of itself. */
interface Come {
  readonly name: string
  readonly kind: FileKind
  readonly received: Received
  readonly fields: Fields | undefined
}

/** Receives a file. @throws Refusal 400 for what is no file of a package, or does not fit what says so; nothing is kept */
export async function publishDebianFile(
  ctx: Context & { readonly body: Readable },
  project: Stored,
  name: string,
  destination: Destination | undefined,
): Promise<void> {
  const kind = kindOf(name)
  if (kind === undefined) throw unfitPackage('File name is invalid')
  if (destination && !isBinary(kind)) throw unfitPackage('only binary packages are published without a .changes')
  const announced = {
    type: 'debian',
    size: announcedSize(ctx),
    digests: ['md5', 'sha1'],
    ...askedBefore(ctx, project, name, kind),
  } as const
  await receiveFile(ctx, project, ctx.body, announced, async (received, counted) => {
    const come = { name, kind, received, fields: await fieldsIn(ctx, kind, received) }
    await keepReceived(ctx, received, counted, async db => ({ file: await place(db, ctx, project, come, destination) }))
  })
}

/** The name in front of the name of a file: of a binary package its own, of other files that of their source package. */
const nameInFront = (fileName: string): string => fileName.split('_')[0] as string

/**
 * Rules are about source packages and about binary ones, which are installed by their own names. Files have one name in front; binary packages have
 * that of their source in their control file, which comes first.
 */
function askedBefore(ctx: Context, project: Stored, name: string, kind: FileKind): Pick<Announced, 'assertAllowed' | 'admission'> {
  const assertAllowed = mayPublish(ctx, project, { package_type: 'debian', name: nameInFront(name) })
  if (!isBinary(kind)) return { assertAllowed }
  const nameIn = async (beginning: Buffer) => sourceOf(await fieldsOf(() => readBeginningOfDeb(beginning)))
  return { assertAllowed, admission: mayPublishNamed(ctx, project, 'debian', nameIn) }
}

/** Asks again about the binary packages among these files, as `publishVersion` does about their source. @throws Refusal 403 */
const assertBinariesAllowed = (db: Db, ctx: Context, { id }: Stored, fileNames: readonly string[]): Promise<void> =>
  assertPackagesAllow(
    { ...ctx, db },
    'push',
    fileNames.flatMap(fileName => {
      const kind = kindOf(fileName)
      const name = nameInFront(fileName)
      return kind !== undefined && isBinary(kind) ? [{ project_id: id, package_type: 'debian', name, lookup_name: name }] : []
    }),
  )

/** The source package of a binary one. @throws Refusal 400 */
const sourceOf = (fields: Fields) => reading(() => sourceIn(fields, fieldOf(fields, 'Source') ?? fieldOf(fields, 'Package')))

function place(db: Db, ctx: Context, project: Stored, come: Come, destination: Destination | undefined): Promise<PackageFileRow> {
  if (destination) return placeBinary(db, ctx, project, come, destination)
  return come.kind === 'changes' ? placeUpload(db, ctx, project, come) : placeIncoming(db, ctx, project, come)
}

/** What a file says of itself; undefined for kinds that say nothing. @throws Refusal 400 */
async function fieldsIn({ deps }: Context, kind: FileKind, { key, size }: Received): Promise<Fields | undefined> {
  if (isBinary(kind)) return fieldsOf(() => readDeb(deps.objects, { key, size }))
  if (kind !== 'dsc' && kind !== 'changes') return undefined
  if (size > MOST_CONTROL) throw unfitPackage('the file is too large')
  return fieldsOf(async () => parseControl(withoutSignature((await buffer(await deps.objects.read(key))).toString('utf8'))))
}

/** Runs what reads a file. @throws Refusal 400 */
async function fieldsOf(work: () => Promise<Fields>): Promise<Fields> {
  try {
    return await work()
  } catch (error) {
    const reason = unfitReason(error)
    throw reason === undefined ? error : unfitPackage(`the file cannot be read: ${reason}`)
  }
}

/** Runs what reads control data. @throws Refusal 400 */
function reading<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = unfitReason(error)
    throw reason === undefined ? error : unfitPackage(reason)
  }
}

/** What is kept of a binary package. @throws Refusal 400 where its name is not what it says of itself */
function binaryMetadata(name: string, kind: BinaryKind, fields: Fields): FileMetadata & { readonly architecture: string } {
  const [binary = '', version = '', architecture = ''] = ['Package', 'Version', 'Architecture'].map(field => fieldOf(fields, field))
  if (!isPackageName(binary)) throw unfitPackage('Package is invalid')
  if (!isVersion(version)) throw unfitPackage('Version is invalid')
  if (!isArchitecture(architecture)) throw unfitPackage('Architecture is invalid')
  const expected = binaryFileName(binary, version, architecture, kind)
  if (name !== expected) throw unfitPackage(`the file says to be ${expected}`)
  return { kind, architecture, fields: [...fields] }
}

/** What is kept of a description of a source package. @throws Refusal 400 where its name is not what it says of itself */
function dscMetadata(name: string, fields: Fields): FileMetadata {
  const { name: source, version } = reading(() => sourceIn(fields, fieldOf(fields, 'Source')))
  const expected = dscFileName(source, version)
  if (name !== expected) throw unfitPackage(`the file says to be ${expected}`)
  return { kind: 'dsc', fields: [...fields], files: reading(() => filesIn(fields)) }
}

function metadataOf({ name, kind, fields }: Come): FileMetadata {
  if (!fields || kind === 'changes') return { kind }
  return isBinary(kind) ? binaryMetadata(name, kind, fields) : dscMetadata(name, fields)
}

/** Keeps a file until a `.changes` names it. One of the same name takes its place. */
async function placeIncoming(db: Db, ctx: Context, project: Stored, come: Come): Promise<PackageFileRow> {
  const metadata = metadataOf(come)
  const { package: waiting } = await publishVersion(db, ctx, project.id, incoming)
  const stale = new Date(ctx.now.getTime() - WAITING_HOURS * 3_600_000)
  const former = await db
    .selectFrom('package_files')
    .select('id')
    .where('package_id', '=', waiting.id)
    .where(({ or, eb }) => or([eb('file_name', '=', come.name), eb('created_at', '<', stale.toISOString())]))
    .execute()
  await dropFiles(db, waiting, idsOf(former, 'id'))
  return addFile(db, ctx, waiting, come.name, come.received, { metadata })
}

/** The distribution, locked: who publishes to it waits for others who do. @throws Refusal 400 */
async function lockDistribution(db: Db, project: Stored, name: string): Promise<DistributionRow> {
  const place: Place = { project_id: project.id }
  const row = await distributionNamed(db, place, name).forUpdate().executeTakeFirst()
  if (!row) throw unfitPackage(`the project has no distribution ${name}`)
  return row
}

/** @throws Refusal 400 where what was placed is too much for the distribution */
async function assertListable(db: Db, project: Stored, distribution: DistributionRow): Promise<void> {
  const excess = await excessOf(db, { projectId: project.id }, distribution)
  if (excess !== undefined) throw unfitPackage(excess)
}

const channelOf = ({ codename }: DistributionRow) => ({ package_type: 'debian', name: codename }) as const

/** The files of these names that a distribution has already, by their names. */
async function presentFiles(db: Db, project: Stored, distribution: DistributionRow, names: readonly string[]) {
  const rows = await filesInChannel(db, { projectId: project.id }, channelOf(distribution))
    .where('package_files.file_name', 'in', [...names])
    .orderBy('package_files.id')
    .execute()
  return new Map(rows.map(row => [row.file_name, row]))
}

const taken = (name: string) => unfitPackage(`File name has already been taken: ${name}`)

function assertComponent({ components, codename }: DistributionRow, component: string): void {
  if (!components.includes(component)) throw unfitPackage(`the distribution ${codename} has no component ${component}`)
}

function assertArchitecture({ architectures, codename }: DistributionRow, architecture: string): void {
  if (!architectures.includes(architecture)) throw unfitPackage(`the distribution ${codename} has no architecture ${architecture}`)
}

/** Publishes a binary package. The same one again changes nothing. */
async function placeBinary(
  db: Db,
  ctx: Context,
  project: Stored,
  { name, kind, received, fields }: Come,
  destination: Destination,
): Promise<PackageFileRow> {
  if (!isBinary(kind) || !fields) throw unfitPackage('only binary packages are published without a .changes')
  const metadata = binaryMetadata(name, kind, fields)
  await assertBinariesAllowed(db, ctx, project, [name])
  const distribution = await lockDistribution(db, project, destination.distribution)
  assertComponent(distribution, destination.component)
  assertArchitecture(distribution, metadata.architecture)
  const present = (await presentFiles(db, project, distribution, [name])).get(name)
  if (present && present.file_sha256 !== received.sha256) throw taken(name)
  if (present) return present
  const source = sourceOf(fields)
  const { package: to } = await publishVersion(db, ctx, project.id, { package_type: 'debian', ...source })
  const about = { channel: distribution.codename, metadata: { ...metadata, component: destination.component } }
  const placed = await addFile(db, ctx, to, name, received, about)
  await assertListable(db, project, distribution)
  return placed
}

/** Publishes what a `.changes` names: all of it, or nothing. */
async function placeUpload(db: Db, ctx: Context, project: Stored, { name, received, fields }: Come): Promise<PackageFileRow> {
  const changes = reading(() => changesIn(fields as Fields))
  const { package: waiting } = await publishVersion(db, ctx, project.id, incoming)
  const distribution = await lockDistribution(db, project, changes.distribution)
  const names = changes.files.map(file => file.name)
  await assertBinariesAllowed(db, ctx, project, names)
  const present = await presentFiles(db, project, distribution, [name, ...names])
  const again = present.get(name)
  if (again && again.file_sha256 !== received.sha256) throw taken(name)
  if (again) return again
  const { package: to } = await publishVersion(db, ctx, project.id, { package_type: 'debian', ...changes.source })
  const rows = await filesOf(db, waiting.id).where('package_files.file_name', 'in', names).execute()
  const come = new Map(rows.map(row => [row.file_name, row]))
  const moved = changes.files.flatMap((listed): MovedFile[] => {
    const file = come.get(listed.name)
    const former = present.get(listed.name)
    if (!file && !former) throw unfitPackage(`${listed.name} has not been uploaded`)
    assertListed(listed, (file ?? former) as PackageFileRow)
    if (former && former.file_sha256 !== listed.sha256) throw taken(listed.name)
    return former || !file ? [] : [{ id: file.id, ...aboutListed(distribution, changes, listed, file) }]
  })
  await moveFiles(db, ctx, to, moved)
  await dropFiles(
    db,
    waiting,
    idsOf(
      rows.filter(({ file_name }) => present.has(file_name)),
      'id',
    ),
  )
  await completeSources(db, ctx, to, distribution)
  await assertListable(db, project, distribution)
  return addFile(db, ctx, to, name, received, { channel: distribution.codename, metadata: { kind: 'changes' } })
}

/** @throws Refusal 400 for a file that is not the one that a list names */
function assertListed({ name, size, md5, sha1, sha256 }: ListedFile, file: PackageFileRow): void {
  const isIt = file.size === size && file.file_md5 === md5 && file.file_sha1 === sha1 && file.file_sha256 === sha256
  if (!isIt) throw unfitPackage(`${name} is not the file that is listed`)
}

/** What is kept of a file of an upload. @throws Refusal 400 where the distribution has no place for it, or it is of another source */
function aboutListed(
  distribution: DistributionRow,
  { source }: Changes,
  { section }: ListedFile,
  { file_name, metadata: kept }: PackageFileRow,
) {
  const metadata = kept as unknown as FileMetadata
  const component = section.includes('/') ? (section.split('/')[0] as string) : 'main'
  assertComponent(distribution, component)
  const fields = new Map(metadata.fields ?? [])
  const hasArchitecture = isBinary(metadata.kind as FileKind)
  if (hasArchitecture) assertArchitecture(distribution, metadata.architecture ?? '')
  if (hasArchitecture || metadata.kind === 'dsc') {
    const own = sourceOf(fields)
    if (own.name !== source.name || own.version !== source.version) throw unfitPackage(`${file_name} is of another source`)
  }
  return { channel: distribution.codename, metadata: { ...metadata, component } }
}

/**
 * Sees that the files of a source package are there. The original archive of a source may have come with a former version of it: the file is then one
 * of this version too. @throws Refusal 400 for one that is nowhere
 */
async function completeSources(db: Db, ctx: Context, to: PackageRow, { codename }: DistributionRow): Promise<void> {
  const files = (await filesOf(db, to.id).execute()).filter(({ channel }) => channel === codename)
  const names = new Map(files.map(file => [file.file_name, file]))
  const described = files.map(({ metadata }) => metadata as unknown as FileMetadata).find(({ kind }) => kind === 'dsc')
  for (const listed of described?.files ?? []) {
    const present = names.get(listed.name)
    if (present) {
      assertListed(listed, present)
      continue
    }
    const named = { package_type: 'debian', file_name: listed.name, sha256: listed.sha256 } as const
    const former = await fileByDigest(db, { projectId: to.project_id }, named)
    if (!former) throw unfitPackage(`${listed.name} has not been uploaded`)
    assertListed(listed, former)
    const received = { key: former.key, size: former.size, sha256: former.sha256, digests: { md5: listed.md5, sha1: listed.sha1 } }
    await addFile(db, ctx, to, listed.name, received, { channel: codename, metadata: { kind: 'source' } })
  }
}

/** @throws Refusal 400 where only one of the two is given */
export function destinationOf({ distribution, component }: Partial<Destination>): Destination | undefined {
  if (distribution === undefined && component === undefined) return undefined
  if (distribution === undefined || component === undefined) throw badRequest('distribution and component belong together')
  return { distribution, component }
}
