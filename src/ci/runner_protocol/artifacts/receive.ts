/** Receives artifacts from runners: streams them into the store, validates them, and only then inserts the row. */

import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { transact } from '../../../platform/db/transact.ts'
import { type Context, systemContext } from '../../../platform/kernel/context.ts'
import { badRequest, invalid, Refusal, tooLarge } from '../../../platform/kernel/errors.ts'
import { ObjectMismatch, type StoredBytes } from '../../../platform/object_store/measured.ts'
import { addArtifact } from '../../artifacts/commands.ts'
import { sizeLimitOf } from '../../artifacts/size_limits.ts'
import { type ArtifactFormat, type ArtifactTypeName, artifactType } from '../../artifacts/types.ts'
import { bytesAt, checkZip, objectSource, UnfitZip } from '../../artifacts/zip/index.ts'
import { parseDuration } from '../../config/index.ts'
import { expireArtifactsAt } from '../../jobs/commands.ts'
import { artifacts } from '../../jobs/entities/artifacts.ts'
import { jobById } from '../../jobs/queries.ts'
import { keepDotenv, readDotenv } from '../../reports/dotenv.ts'
import { askForLines } from '../../reports/lines/parse.ts'
import { askForParsing } from '../../reports/test_reports.ts'
import { notRunning } from '../job_access.ts'
import type { IncomingFile } from './multipart.ts'

/** The parameters of an artifact upload. */
export interface AnnouncedArtifact {
  readonly artifact_type: ArtifactTypeName
  /** The default of the type if absent. */
  readonly artifact_format?: ArtifactFormat | undefined
  /** In words: `1 week`, `never`; the instance's default if absent. */
  readonly expire_in?: string | undefined
}

/** The job that uploads an artifact. */
interface ArtifactJob {
  readonly id: number
}

/** Maximum bytes of a body around its file. */
const AROUND = 64 * 1024
/** Maximum expiry in seconds: a thousand years. */
const MAX_EXPIRY = 1_000 * 366 * 24 * 60 * 60

/**
 * Validates the parameters of an upload, and computes its maximum size in bytes. @throws Refusal 400 for a format that the type does not
 * have, and for an expiry that is no time in the future
 */
export async function readAnnouncement(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { artifact_type, artifact_format, expire_in }: AnnouncedArtifact,
) {
  const { format } = artifactType(artifact_type)
  if (artifact_format !== undefined && artifact_format !== format)
    throw badRequest(`Invalid file format with specified file type: ${artifact_type} is ${format}`)
  const settings = await applicationSettings(db)
  const expires_at = expiryOf(expire_in?.trim() ? expire_in : settings.default_artifacts_expire_in, now)
  return { file_type: artifact_type, file_format: format, limit: await sizeLimitOf(db, artifact_type, settings), expires_at }
}

export type Announcement = Awaited<ReturnType<typeof readAnnouncement>>

/** When it expires; null for never. */
function expiryOf(words: string, now: Date): Date | null {
  if (words.trim() === 'never') return null
  const seconds = parseDuration(words)
  if (seconds === undefined || seconds < 0 || seconds > MAX_EXPIRY) throw invalid({ expire_in: ['is not a correct duration'] })
  // Contract: 0 means for ever, as in the instance's default (public behaviour at 14.0).
  return seconds === 0 ? null : new Date(now.getTime() + seconds * 1_000)
}

/**
 * Stores a file as an artifact of a running job, in a transaction of its own. A repeated upload of the same bytes changes nothing.
 * @throws Refusal 400 for a wrong format, and for other bytes of a type that the job has already; 403 if the job has ended; 413;
 *   503 if the disk is full. Nothing is stored then.
 */
export async function receiveArtifact(ctx: Context, job: ArtifactJob, announced: Announcement, file: IncomingFile): Promise<void> {
  const { objects } = ctx.deps
  const stored = await store(ctx, announced.limit, file)
  let kept = false
  try {
    await file.complete
    await check(ctx, announced, stored)
    const variables = announced.file_type === 'dotenv' ? await readDotenv(objects, stored, ctx.tier) : undefined
    kept = await transact(ctx.deps.database.db, async db => {
      const inside = { ...systemContext(ctx.deps, db), now: ctx.now }
      if (!(await nameIt({ db, now: ctx.now }, job, announced, stored, file.filename))) return false
      if (variables) await keepDotenv(inside, job.id, variables)
      return true
    })
  } finally {
    if (!kept) await objects.delete([stored.key])
  }
}

/** 413 for a body whose declared length is too large; one without a length is measured during the upload. */
export function assertLength({ request }: Context, { limit }: Announcement): void {
  const length = Number(request.headers['content-length'])
  if (length > limit + AROUND) throw tooLarge(limit)
}

async function store({ deps }: Context, limit: number, { bytes }: IncomingFile): Promise<StoredBytes> {
  try {
    return await deps.objects.put(bytes, { limit })
  } catch (error) {
    if (error instanceof ObjectMismatch) throw tooLarge(limit)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Refusal('unavailable', { message: '503 Service Unavailable - no space left' })
    throw error
  }
}

/** Do the bytes have the declared format? */
async function check({ deps }: Context, { file_format }: Announcement, stored: StoredBytes): Promise<void> {
  const source = objectSource(deps.objects, stored)
  try {
    if (file_format === 'zip') await checkZip(source)
    if (file_format === 'gzip' && !(await bytesAt(source, 0, Math.min(2, source.size))).equals(Buffer.from([0x1f, 0x8b])))
      throw badRequest('the file is no gzip')
  } catch (error) {
    throw error instanceof UnfitZip ? badRequest(`the file is no fit zip: ${error.message}`) : error
  }
}

/** Inserts the row; false if it exists already. */
async function nameIt(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id }: ArtifactJob,
  { file_type, file_format, expires_at }: Announcement,
  stored: StoredBytes,
  givenName: string,
): Promise<boolean> {
  await db.selectFrom('jobs').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  const job = await jobById(db, id)
  if (job?.status !== 'running') throw notRunning(job?.status ?? 'canceled')
  const there = await artifacts(db).where('job_id', '=', id).where('file_type', '=', file_type).executeTakeFirst()
  if (there?.sha256 === stored.sha256) return false
  if (there) throw badRequest('another artifact of the same type already exists')
  const artifact = await addArtifact({ db, now }, job, stored, {
    file_type,
    file_format,
    // Contract: the runner's name for it, `junit.xml.gz` (document 2 "Job", artifact entry; public behaviour at 14.0).
    filename: safeName(givenName, file_type, file_format),
    expires_at,
  })
  await expireArtifactsAt(db, id, expires_at)
  if (file_type === 'junit') await askForParsing(db, artifact)
  await askForLines(db, file_type, artifact)
  return true
}

const endings: Readonly<Record<ArtifactFormat, string>> = { zip: '.zip', gzip: '.gz', raw: '' }

/** The name that the client gave, made valid for the database and a header; a default if there is none. */
function safeName(name: string, type: ArtifactTypeName, format: ArtifactFormat): string {
  const safe = name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(-255)
  return safe === '' ? `${artifactType(type).filename ?? (type === 'archive' ? 'artifacts' : type)}${endings[format]}` : safe
}
