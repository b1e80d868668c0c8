/** Parses reports about lines in the background, and stores what they say: once, however often it is shown. */

import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { GitError, listTree } from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { projectsById } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ArtifactTypeName } from '../../artifacts/types.ts'
import { bytesAt, objectSource } from '../../artifacts/zip/index.ts'
import { type ArtifactRow, artifacts } from '../../jobs/entities/artifacts.ts'
import { filesIn, UnfitGzip } from '../gzip.ts'
import { UnfitReport } from '../junit.ts'
import { CoverageReader, type CoveredLines, pathsIn } from './cobertura.ts'
import { type CodeQuality, readCodeQuality } from './code_quality.ts'

/** The types of artifacts that are read here. */
export const lineReports = ['cobertura', 'codequality'] as const satisfies readonly ArtifactTypeName[]

/** Queues the parse of a report in the transaction, if it is one about lines. */
export async function askForLines(db: Db, type: ArtifactTypeName, artifact_id: number): Promise<void> {
  if ((lineReports as readonly string[]).includes(type)) await enqueue(db, 'parse_line_report', { artifact_id })
}

/** Maximum size of a packed report in bytes; it is held in memory while it is parsed. */
const MAX_PACKED = 20 * 1024 * 1024

/** Rows that are inserted by one statement. */
const BATCH = 1_000

/** Parses a report and stores the result; does nothing if the report was deleted or is stored already. */
export async function parseLineReport(deps: Deps, { artifact_id }: { readonly artifact_id: number }): Promise<void> {
  const { db } = deps.database
  const artifact = await artifacts(db).where('job_artifacts.id', '=', artifact_id).executeTakeFirst()
  if (!artifact) return
  if (artifact.file_type === 'cobertura') {
    const { files, error } = await readCoverage(deps, artifact)
    const rows = [...files].map(([path, lines]) => ({ artifact_id, path, lines: [...lines.keys()], hits: [...lines.values()] }))
    await keep(deps, artifact_id, error, db => inBatches(rows, batch => db.insertInto('coverage_files').values(batch).execute()))
  } else {
    const { findings, error } = await readFindings(deps, artifact)
    const rows = findings.map((finding, number) => ({ artifact_id, number, ...finding }))
    await keep(deps, artifact_id, error, db => inBatches(rows, batch => db.insertInto('code_quality_findings').values(batch).execute()))
  }
}

async function inBatches<Row>(rows: readonly Row[], insert: (batch: readonly Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH) await insert(rows.slice(from, from + BATCH))
}

/** Stores what a report says, in one transaction with the report itself. The row of the artifact is locked: it may be deleted meanwhile. */
const keep = ({ database, now }: Deps, artifact_id: number, error: string | null, insert: (db: Db) => Promise<void>): Promise<void> =>
  transact(database.db, async db => {
    const there = await db.selectFrom('job_artifacts').select('id').where('id', '=', artifact_id).forKeyShare().executeTakeFirst()
    if (!there) return
    const report = await db
      .insertInto('line_reports')
      .values({ artifact_id, error, created_at: now() })
      .onConflict(conflict => conflict.doNothing())
      .returning('artifact_id')
      .executeTakeFirst()
    if (report) await insert(db)
  })

async function readFindings({ objects }: Deps, artifact: ArtifactRow): Promise<CodeQuality> {
  return readCodeQuality((await objects.read(artifact.key)) as AsyncIterable<Buffer>)
}

interface ReadCoverage {
  readonly files: ReadonlyMap<string, CoveredLines>
  readonly error: string | null
}

async function readCoverage(deps: Deps, artifact: ArtifactRow): Promise<ReadCoverage> {
  const reader = new CoverageReader()
  try {
    if (artifact.size > MAX_PACKED) throw new UnfitReport('The coverage report is too large')
    const packed = await bytesAt(objectSource(deps.objects, artifact), 0, artifact.size)
    for await (const file of filesIn(packed)) await reader.read(file)
    return { files: await placed(deps, artifact, reader), error: null }
  } catch (error) {
    if (!(error instanceof UnfitReport || error instanceof UnfitGzip)) throw error
    return { files: new Map(), error: error.message }
  }
}

/** The files by their paths in the repository. Its tree is read where the report leaves open which folder its names are within. */
async function placed(deps: Deps, { job_id, project_id }: ArtifactRow, reader: CoverageReader): Promise<ReadonlyMap<string, CoveredLines>> {
  const project = (await projectsById(deps.database.db, [project_id])).get(project_id)
  if (!project) return new Map()
  let isAsked = false
  const onePass = pathsIn(reader, project.full_path, () => {
    isAsked = true
    return false
  })
  if (!isAsked) return onePass
  const { sha } = await deps.database.db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .select('pipelines.sha')
    .where('jobs.id', '=', job_id)
    .executeTakeFirstOrThrow()
  const repository = await findRepository(deps.storages, project)
  try {
    const tree = repository && (await listTree(repository, { commit: sha, recursive: true }))
    const paths = new Set((tree?.rows ?? []).map(({ path }) => path))
    return pathsIn(reader, project.full_path, path => paths.has(path))
  } catch (error) {
    if (error instanceof GitError && error.kind === 'too_large')
      throw new UnfitReport('The repository has too many files to find those of the report')
    throw error
  }
}
