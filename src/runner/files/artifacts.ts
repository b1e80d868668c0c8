/** Downloads artifacts of other jobs, and uploads those of the job. */
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Coordinator, ProtocolError } from '../coordinator.ts'
import { type Artifact, applies, type Job } from '../payload.ts'
import { filesMatching } from './globs.ts'
import { sortedByPlace } from './inside.ts'
import { unzipInto, writeGzip, writeRaw, writeZip } from './zip.ts'

export interface ArtifactOptions {
  readonly coordinator: Coordinator
  readonly job: Job
  /** The working copy. */
  readonly project: string
  readonly temporary: string
  readonly expanded: (text: string) => string
  readonly untracked: () => Promise<readonly string[]>
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

/** Unpacks the archives of the jobs that this one depends on. @throws Error if a download fails */
export async function downloadDependencies(options: ArtifactOptions): Promise<void> {
  const { job, project, temporary, say, signal } = options
  for (const dependency of job.dependencies ?? []) {
    if (!dependency.artifacts_file?.filename) continue
    say(`Downloading artifacts for ${dependency.name} (${dependency.id})...`)
    const file = join(temporary, `artifacts-${dependency.id}.zip`)
    await downloadTo(file, dependency, options)
    say(`Unpacked ${await unzipInto(file, project, signal)} files`)
    await rm(file)
  }
}

/** Tries three times, unless the server says that there is nothing to download. */
async function downloadTo(file: string, from: { id: number; token: string }, { coordinator, signal }: ArtifactOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const bytes = await coordinator.download(from, signal)
      await pipeline(Readable.fromWeb(bytes as never), createWriteStream(file, { mode: 0o600 }), { signal })
      return
    } catch (error) {
      const isFinal = error instanceof ProtocolError && [401, 403, 404].includes(error.status)
      if (isFinal || attempt === 3 || signal.aborted) throw error
      await wait(1000 * attempt)
    }
  }
}

/** Uploads the artifacts of the job. @throws Error if the server refuses them */
export async function uploadArtifacts(succeeded: boolean, options: ArtifactOptions): Promise<void> {
  for (const [index, artifact] of (options.job.artifacts ?? []).entries()) {
    if (!applies(artifact.when, succeeded)) continue
    const { paths, exclude, untracked } = artifact
    if (!paths?.length && !exclude?.length && !untracked) continue
    await uploadOne(artifact, join(options.temporary, `upload-${index}`), options)
  }
}

async function uploadOne(artifact: Artifact, file: string, options: ArtifactOptions): Promise<void> {
  const { project, expanded, say, coordinator, job, signal } = options
  const type = artifact.artifact_type || 'archive'
  say(`Uploading artifacts (${type})...`)
  const exclude = (artifact.exclude ?? []).map(expanded)
  const { files, missing } = await filesMatching(project, (artifact.paths ?? []).map(expanded), exclude)
  for (const pattern of missing) say(`WARNING: ${pattern}: no matching files. It must lie in the directory of the project.`)
  const untracked = artifact.untracked ? await options.untracked() : []
  const found = [...new Set([...files, ...untracked])].sort()
  // An archive has links as links.
  const { inside: all, outside } = await sortedByPlace(project, found, artifact.artifact_format !== 'zip')
  for (const file of outside) say(`WARNING: ${file}: left out, since it lies outside of the directory of the project`)
  if (all.length === 0) return say('No files to upload')
  say(`Found ${all.length} files`)
  // Scripts may have put a link in its place, through which it would be written.
  await rm(file, { recursive: true, force: true })
  try {
    await write(artifact, all, file, project, signal)
    const name = basename(expanded(artifact.name || '') || (artifact.artifact_format === 'zip' ? 'artifacts' : (all[0] as string)))
    await coordinator.upload(
      job,
      {
        path: file,
        filename: suffixed(name, artifact.artifact_format),
        type: artifact.artifact_type ?? undefined,
        format: artifact.artifact_format ?? undefined,
        expireIn: artifact.expire_in ?? undefined,
      },
      signal,
    )
    say(`Uploaded ${(await stat(file)).size} bytes`)
  } finally {
    await rm(file, { force: true })
  }
}

async function write(
  { artifact_format }: Artifact,
  files: readonly string[],
  target: string,
  root: string,
  signal: AbortSignal,
): Promise<void> {
  if (artifact_format === 'gzip') return writeGzip(root, files, target, signal)
  if (artifact_format !== 'raw') return writeZip(root, files, target, signal)
  if (files.length > 1) throw new Error('only one file can be uploaded as it is')
  return writeRaw(join(root, files[0] as string), target, signal)
}

function suffixed(name: string, format: Artifact['artifact_format']): string {
  const suffix = format === 'gzip' ? '.gz' : format === 'raw' ? '' : '.zip'
  return name.endsWith(suffix) ? name : `${name}${suffix}`
}
