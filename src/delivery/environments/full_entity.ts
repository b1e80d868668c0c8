/** An environment with its last deployment (document 2 "Environment"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, Nullable } from '../../platform/kernel/declaration/types.ts'
import { embeddedFields, load, presentEmbedded } from '../deployments/entity.ts'
import { lastDeploymentsOf } from '../deployments/queries.ts'
import { fields, present } from './entity.ts'
import type { EnvironmentRow } from './queries.ts'

export const EnvironmentInFull = entity({
  name: 'EnvironmentInFull',
  schema: Type.Object({
    ...fields,
    // Newer than 14.0.
    auto_stop_at: Nullable(DateTime('When the clock stops it; null for never')),
    last_deployment: Nullable(described('The newest deployment; null where there is none', Type.Object(embeddedFields))),
  }),
  async load(ctx: Context, rows: readonly EnvironmentRow[]) {
    const last = await lastDeploymentsOf(
      ctx.db,
      rows.map(row => row.id),
    )
    return { last, loaded: await load(ctx, [...last.values()]) }
  },
  present(row: EnvironmentRow, { last, loaded }, facts) {
    const deployment = last.get(row.id)
    // Contract: null before the first deployment (decision 28).
    return {
      ...present(row),
      auto_stop_at: row.auto_stop_at,
      last_deployment: deployment ? presentEmbedded(deployment, loaded, facts) : null,
    }
  },
})
