/** Addresses that lead to the artifacts of the latest successful pipeline of a branch or tag, by the name of a job: links and scripts name no job by its ID. */
import { latestJobWithArchive } from '../../ci/artifacts/queries.ts'
import { requireArtifactAccess } from '../../ci/artifacts/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { encodePath } from '../repository/addresses.ts'
import { jobPath } from './scope.ts'

/** A branch or tag may have slashes, and be named like what follows it: as many readings of an address are tried, the shortest name first. */
const MOST_READINGS = 4

interface Reading {
  readonly ref: string
  /** After `artifacts/` in the address of a job’s artifacts. */
  readonly place: string
}

/** What an address below `artifacts/` may mean. Pure. */
export function readingsOf(address: string): Reading[] {
  const parts = address.split('/')
  return parts
    .flatMap((part, index) => {
      const isPlace = part === 'download' ? index === parts.length - 1 : part === 'browse' || part === 'file' || part === 'raw'
      return isPlace && index > 0 ? [{ ref: parts.slice(0, index).join('/'), place: parts.slice(index).join('/') }] : []
    })
    .slice(0, MOST_READINGS)
}

export const showLatestArtifacts = pageEndpoint({
  route: 'GET /:project_path/-/jobs/artifacts/*ref_and_place',
  summary: 'Be led to the artifacts of a job of the latest successful pipeline of a branch or tag',
  scope: inProjectPage,
  can: 'read_job',
  params: {
    ref_and_place: text('Name of the branch or tag, and `download`, `browse`, or `browse`, `file` or `raw` with a path', {
      minLength: 1,
      maxLength: 65_535,
      examples: ['main/download'],
    }),
    job: text('Name of the job', { minLength: 1, maxLength: 255, examples: ['build'] }),
  },
  async run(ctx) {
    const { project, params } = ctx
    for (const { ref, place } of readingsOf(params.ref_and_place)) {
      const job = await latestJobWithArchive(ctx, project, ref, params.job)
      if (!job) continue
      await requireArtifactAccess(ctx, project, job)
      return redirect(jobPath(project, job, `/artifacts/${encodePath(place)}`))
    }
    throw notFound('Job')
  },
})
