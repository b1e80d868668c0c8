/** A bridge, a job that starts another pipeline, as JSON (document 2 "Bridge job"). */
import Type from 'typebox'
import { idsOf } from '../../../identity/users/queries.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { described, Nullable } from '../../../platform/kernel/declaration/types.ts'
import { basicFields, presentBasic } from '../../pipelines/lists/basic.ts'
import { type PipelineRow, pipelinesStartedBy } from '../../pipelines/queries.ts'
import { projectsWithOpenPipelines } from '../../pipelines/rights/visible.ts'
import {
  Job,
  type Loaded as LoadedJobs,
  load as loadJobs,
  loadShared,
  pipelineOf,
  presentShared,
  type Shared,
  sharedFields,
} from '../entity.ts'
import type { JobRow } from '../queries.ts'

const { project_id: _, ...downstreamFields } = basicFields

interface LoadedBridges extends Shared {
  /** The pipelines that the bridges have started, if the actor may see them, by bridge. */
  readonly started: ReadonlyMap<number, PipelineRow>
}

/** Loads the pipelines that the bridges of a page have started: two statements. */
async function startedBy({ db, actor }: Context, bridges: readonly JobRow[]): Promise<Map<number, PipelineRow>> {
  const pipelines = await pipelinesStartedBy(
    db,
    bridges.map(({ id }) => id),
  )
  const open = await projectsWithOpenPipelines(db, actor, idsOf(pipelines, 'project_id'))
  return new Map(pipelines.filter(({ project_id }) => open.has(project_id)).map(row => [row.upstream_job_id as number, row]))
}

function presentDownstream(row: PipelineRow, facts: Facts) {
  const { project_id: _, ...shown } = presentBasic(row, facts)
  return shown
}

export const Bridge = entity({
  name: 'Bridge',
  schema: Type.Object({
    ...sharedFields,
    pipeline: described('The pipeline of the bridge', Type.Object(basicFields)),
    /** Null until it has started one, and for users who may not see that pipeline. */
    downstream_pipeline: Nullable(described('The pipeline that the bridge started; null until then', Type.Object(downstreamFields))),
  }),
  load: async (ctx: Context, rows: readonly JobRow[]): Promise<LoadedBridges> => {
    return { ...(await loadShared(ctx, rows)), started: await startedBy(ctx, rows) }
  },
  present: (row: JobRow, loaded: LoadedBridges, facts) => {
    const downstream = loaded.started.get(row.id)
    return {
      ...presentShared(row, loaded, facts),
      pipeline: presentBasic(pipelineOf(loaded, row), facts),
      downstream_pipeline: downstream ? presentDownstream(downstream, facts) : null,
    }
  },
})

/** A job or a bridge, each in its own form. */
export const JobOrBridge = entity({
  name: 'JobOrBridge',
  schema: Type.Union([Job.schema, Bridge.schema]),
  load: async (ctx: Context, rows: readonly JobRow[]): Promise<LoadedJobs & LoadedBridges> => {
    return { ...(await loadJobs(ctx, rows)), started: await startedBy(ctx, rows) }
  },
  present: (row: JobRow, loaded, facts) => (row.kind === 'bridge' ? Bridge.present(row, loaded, facts) : Job.present(row, loaded, facts)),
})
