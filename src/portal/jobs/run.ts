/** Running a manual or delayed job with variables of its own. */
import { playJob } from '../../ci/jobs/endpoints.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { checkedRows, rowParams, rowsField } from '../run_pipeline/rows.ts'
import { inJobOrBridgePage, JOB, jobPath } from './scope.ts'

type InOne = { readonly project: ProjectWithRole; readonly job: JobRow }

const run = form<InOne>({
  path: `${JOB}/run`,
  summary: 'Run a manual job with variables',
  scope: inJobOrBridgePage,
  of: playJob,
  instead: {
    of: ['job_variables_attributes'],
    params: rowParams,
    async adapt(_ctx, { variables }) {
      const rows = checkedRows(variables)
      return rows.length > 0 ? { job_variables_attributes: rows } : {}
    },
  },
  fields: () => [
    rowsField('For this run of the job alone. They are stronger than those of the pipeline, of the project, and of the CI file.'),
  ],
  next: ({ project }, result: { readonly id: number }) => jobPath(project, result),
  cancel: ({ project, job }) => jobPath(project, job),
  notice: 'The job was started.',
  button: 'Run the job',
  frame: ({ actor, project, job }) => ({
    title: `Run ${job.name}`,
    place: projectPlace(actor, project, 'pipelines'),
    scripts: ['variable_rows.js'],
  }),
})

export const showRunJob = run.show
export const submitRunJob = run.submit
