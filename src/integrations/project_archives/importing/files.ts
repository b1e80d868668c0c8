/** The files of an archive: uploads, LFS objects, and the picture of the project. Their bytes are stored first, and named by rows in the transaction of the import. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { linkLfsObject } from '../../../code/lfs/commands.ts'
import { storeAvatar } from '../../../identity/avatars/commands.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { Upload } from '../../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { describeImage } from '../../../platform/kernel/request/images.ts'
import { safeFilename } from '../../../platform/object_store/filenames.ts'
import { ObjectMismatch, type StoredBytes } from '../../../platform/object_store/measured.ts'
import { recordObject } from '../../../platform/object_store/rows.ts'
import { type RestoredUpload, restoreUploads } from '../../../spaces/uploads/commands.ts'
import { ArchiveRefused, reasonOfRefusal } from '../../archives/reading/refused.ts'
import type { ProjectImport } from './state.ts'

/** The files of an archive in the object store. */
export interface StoredFiles {
  readonly uploads: readonly (Omit<RestoredUpload, 'object_id'> & { readonly stored: StoredBytes })[]
  readonly lfs: readonly { readonly oid: string; readonly stored: StoredBytes }[]
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** Bytes of what an archive brings into the room of its project: repositories, uploads and LFS objects. */
export async function bytesOfFiles(folder: string): Promise<number> {
  const below = await Promise.all(['snippets', 'uploads', 'lfs-objects'].map(name => filesBelow(join(folder, name))))
  let bytes = 0
  for (const path of [...['project.bundle', 'project.wiki.bundle'].map(name => join(folder, name)), ...below.flat()])
    bytes += await stat(path).then(
      found => (found.isFile() ? found.size : 0),
      () => 0,
    )
  return bytes
}

const secret = /^[0-9a-f]{32}$/
const oidForm = /^[0-9a-f]{64}$/

/** Stores the uploads and LFS objects of an archive. @throws ArchiveRefused for a file that is not what its name says */
export async function storeFiles(deps: Deps, folder: string): Promise<StoredFiles> {
  const { max_attachment_size } = await applicationSettings(deps.database.db)
  const uploads: StoredFiles['uploads'][number][] = []
  for (const path of await filesBelow(join(folder, 'uploads'))) {
    const name = basename(dirname(path))
    if (!secret.test(name)) continue
    const { size } = await stat(path)
    const filename = safeFilename(basename(path), 'file')
    if (size > max_attachment_size * 1024 * 1024)
      throw new ArchiveRefused(`uploads: ${filename} is larger than the ${max_attachment_size} MB that an upload may have`, 'uploads')
    const image = await describeImage(path)
    uploads.push({ secret: name, filename, image_type: image?.mediaType ?? null, stored: await deps.objects.put(createReadStream(path)) })
  }
  if (new Set(uploads.map(each => each.secret)).size < uploads.length)
    throw new ArchiveRefused('uploads: a folder has two files', 'uploads')
  const lfs: StoredFiles['lfs'][number][] = []
  for (const path of await filesBelow(join(folder, 'lfs-objects'))) {
    const oid = basename(path)
    if (!oidForm.test(oid)) throw new ArchiveRefused('lfs-objects: a file has not the name of an LFS object', 'lfs_objects')
    try {
      lfs.push({ oid, stored: await deps.objects.put(createReadStream(path), { sha256: oid }) })
    } catch (error) {
      if (error instanceof ObjectMismatch)
        throw new ArchiveRefused('lfs-objects: the bytes of an object are not those of its name', 'lfs_objects')
      throw error
    }
  }
  return { uploads, lfs }
}

/** Names the stored files by rows of the project. Texts go on naming uploads as before: each keeps the part of its address that nobody can guess. */
export async function importFiles(state: ProjectImport, { uploads, lfs }: StoredFiles): Promise<void> {
  const { db, project, ctx, people } = state
  const rows: RestoredUpload[] = []
  for (const { stored, ...upload } of uploads) rows.push({ ...upload, object_id: await recordObject(db, stored) })
  await restoreUploads(db, project.id, { uploaderId: people.importer, now: ctx.now }, rows)
  for (const { oid, stored } of lfs) await linkLfsObject(db, project.id, { oid, size: stored.size }, stored)
}

/** Most bytes of a picture. */
const MOST_AVATAR = 1024 * 1024

/** The picture of the project; undefined where there is none, or one that may not be. */
export async function importAvatar(state: ProjectImport): Promise<string | null | undefined> {
  const [path] = await filesBelow(join(state.folder, 'avatar'))
  if (path === undefined || (await stat(path)).size > MOST_AVATAR) return undefined
  const bytes = await readFile(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const upload = new Upload({ file: path, filename: basename(path), mimetype: 'application/octet-stream', size: bytes.length, sha256 })
  try {
    return await storeAvatar(state.ctx, { project_id: state.project.id }, upload)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    state.failures.push({ relation: 'avatar', source: basename(path), message: reasonOfRefusal(error) })
    return undefined
  }
}
