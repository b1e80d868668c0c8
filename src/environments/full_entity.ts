/** An environment with what was last deployed to it (document 2 "Environment"). */
import Type from 'typebox'
import { embeddedFields, presentEmbedded } from '../deployments/entity.ts'
import { lastDeploymentsOf } from '../deployments/queries.ts'
import { entity } from '../kernel/answer/entity.ts'
import type { Context } from '../kernel/context.ts'
import { Nullable } from '../kernel/types.ts'
import { idsOf, usersById } from '../users/queries.ts'
import { fields, present } from './entity.ts'
import type { EnvironmentRow } from './queries.ts'

export const EnvironmentInFull = entity({
  name: 'EnvironmentInFull',
  schema: Type.Object({ ...fields, last_deployment: Nullable(Type.Object(embeddedFields)) }),
  async load({ db }: Context, rows: readonly EnvironmentRow[]) {
    const last = await lastDeploymentsOf(
      db,
      rows.map(row => row.id),
    )
    return { last, users: await usersById(db, idsOf([...last.values()], 'user_id')) }
  },
  present(row: EnvironmentRow, { last, users }, facts) {
    const deployment = last.get(row.id)
    // Contract: null before anything was deployed (decision 28).
    return { ...present(row), last_deployment: deployment ? presentEmbedded(deployment, users, facts) : null }
  },
})
