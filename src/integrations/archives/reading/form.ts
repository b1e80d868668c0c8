import { join } from 'node:path'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Upload } from '../../../platform/kernel/declaration/types.ts'
import { Refusal, tooLarge } from '../../../platform/kernel/errors.ts'
import { readText } from './lines.ts'
import { ArchiveRefused } from './refused.ts'

/** Largest archive that is sent, in bytes. */
export const MOST_ARCHIVE = 20 * 1024 ** 3

/** The forms of archives that are read. */
const form = /^0\.2\.\d+$/

/** @throws ArchiveRefused for a folder that is no export, or one in another form */
export async function assertForm(folder: string, noun: 'project' | 'group'): Promise<void> {
  const version = (await readText(join(folder, 'VERSION'), 'VERSION'))?.trim()
  if (version === undefined) throw new ArchiveRefused(`The archive is no export of a ${noun}: it has no file VERSION.`)
  if (!form.test(version)) throw new ArchiveRefused(`The archive has the form ${version.slice(0, 20)}, and 0.2 is read.`)
}

/** Most bytes of an archive that is imported (`max_import_size`). */
export async function mostArchive(db: Db): Promise<number> {
  const { max_import_size } = await applicationSettings(db)
  return max_import_size === 0 ? MOST_ARCHIVE : max_import_size * 1024 * 1024
}

/** Contract: a refusal of a file that has not the form (import and export API at 14.0). */
export async function assertArchive(db: Db, { filename, size }: Upload): Promise<void> {
  if (!/\.gz$/i.test(filename))
    throw new Refusal('unprocessable', { message: { error: 'You need to upload a GitLab project export archive (ending in .gz).' } })
  const most = await mostArchive(db)
  if (size > most) throw tooLarge(most)
}
