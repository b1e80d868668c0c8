/** A project whose jobs leave a large archive. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { transferRate, uploadOf } from './curl.ts'
import type { RunningIngot } from './ingot.ts'
import { endJob, nextJob, projectWith, registerRunner, type TakenJob, wideFile } from './runner.ts'
import type { BenchSize } from './world/sizes.ts'

export interface ArchiveProject {
  readonly id: number
  /** The archive on the disk, and its bytes. */
  readonly file: string
  readonly bytes: number
  /** Files in it. */
  readonly files: number
  /** A job that has it. */
  readonly job: TakenJob
  /** The next running job. */
  next(): Promise<TakenJob>
}

/** Uploads that all measurements make together, at most. */
const JOBS = 20

/** Makes the project, the archive, and a job that has it. */
export async function makeArchiveProject(
  ingot: RunningIngot,
  scratch: string,
  { archiveBytes, archiveFiles: files }: BenchSize,
): Promise<ArchiveProject> {
  const file = join(scratch, 'archive.zip')
  const bytes = await writeArchive(file, archiveBytes, files)
  const { id, runnersToken } = await projectWith({ ingot }, 'artifacts', wideFile(JOBS))
  const runner = await registerRunner({ ingot }, runnersToken)
  const next = () => nextJob({ ingot }, runner)
  const job = await next()
  await uploadArchive(ingot, { file, bytes }, job)
  await endJob({ ingot }, job)
  return { id, file, bytes, files, job, next }
}

/** The name of a file in the archive. */
export const nameInArchive = (index: number): string => `out/part-${index % 100}/file-${index}.bin`

/** Writes a zip of files that are as good as packed already, and answers its size. */
async function writeArchive(file: string, bytes: number, files: number): Promise<number> {
  const zip = new ZipFile()
  const content = randomBytes(Math.floor(bytes / files))
  for (let index = 0; index < files; index++) zip.addBuffer(content, nameInArchive(index), { compress: false })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
  return (await stat(file)).size
}

/** Uploads the archive for a running job, and answers at how many megabytes a second. */
export const uploadArchive = (
  { url }: RunningIngot,
  { file, bytes }: Pick<ArchiveProject, 'file' | 'bytes'>,
  { id, token }: TakenJob,
): Promise<number> =>
  transferRate(bytes, [...uploadOf(file), '--header', `JOB-TOKEN: ${token}`, `${url}/api/v4/jobs/${id}/artifacts?artifact_format=zip`])

/** Where the archive of a job is. */
export const archiveAddress = ({ url }: RunningIngot, { id }: ArchiveProject, job: TakenJob): string =>
  `${url}/api/v4/projects/${id}/jobs/${job.id}/artifacts`

/** Downloads it, and answers at how many megabytes a second. */
export const downloadArchive = (ingot: RunningIngot, project: ArchiveProject, job: TakenJob): Promise<number> =>
  transferRate(project.bytes, ['--header', `PRIVATE-TOKEN: ${ingot.token}`, archiveAddress(ingot, project, job)])
