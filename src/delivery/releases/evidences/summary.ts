/** The summary of a release in its evidence (release evidence, 14.0). */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { milestonesOfReleases, type ReleaseRow } from '../queries.ts'

/** Artifact types that are reports. */
const reports = ['junit', 'codequality', 'cobertura', 'performance', 'sast', 'dependency_scanning', 'license_scanning', 'metrics'] as const

/**
 * The summary that is stored. Contract: it names milestones without their issues (release evidence, 14.0). All users who may read the code
 * read it, at any later time: issues of other projects, or ones that become confidential, are not for them.
 */
export async function summaryOf({ db, url }: Pick<Context, 'db' | 'url'>, project: ProjectRow, release: ReleaseRow): Promise<object> {
  const milestones = ((await milestonesOfReleases(db, [release.id])).get(release.id) ?? []).map(({ milestone }) => milestone)
  return {
    release: {
      id: release.id,
      tag_name: release.tag,
      name: release.name,
      description: release.description,
      created_at: release.created_at,
      project: { id: project.id, name: project.name, description: project.description, created_at: project.created_at },
      milestones: milestones.map(({ id, iid, title, description, state, due_date, created_at }) => ({
        id,
        title,
        description,
        state,
        iid,
        created_at,
        due_date,
      })),
      report_artifacts: (await reportsOf(db, release)).map(job => ({
        url: `${url}/api/v4/projects/${project.id}/jobs/${job.id}/artifacts`,
      })),
    },
  }
}

/** The jobs of the newest pipeline of the release's commit that have uploaded reports. */
const reportsOf = (db: Db, { project_id, sha }: ReleaseRow) =>
  db
    .selectFrom('jobs')
    .select('jobs.id')
    .where('jobs.pipeline_id', '=', ({ selectFrom }) =>
      selectFrom('pipelines')
        .select('pipelines.id')
        .where('pipelines.project_id', '=', project_id)
        .where('pipelines.sha', '=', sha ?? '')
        .orderBy('pipelines.id', 'desc')
        .limit(1),
    )
    .where('jobs.retried', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('job_artifacts')
          .select(sql`1`.as('one'))
          .whereRef('job_artifacts.job_id', '=', 'jobs.id')
          .where('job_artifacts.file_type', 'in', reports),
      ),
    )
    .orderBy('jobs.id')
    .execute()

interface Summary {
  readonly release?: { readonly milestones?: readonly object[] }
}

/** What is sent of a stored summary. Those of earlier versions have the issues of milestones; they are left out. */
export function shownSummary(stored: unknown): object {
  const { release, ...rest } = stored as Summary
  if (!release?.milestones) return { release, ...rest }
  const milestones = release.milestones.map(milestone => ('issues' in milestone ? withoutIssues(milestone) : milestone))
  return { ...rest, release: { ...release, milestones } }
}

const withoutIssues = ({ issues: _, ...milestone }: { readonly issues: unknown }) => milestone
