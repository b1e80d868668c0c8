/** A deployment as JSON (deployments API at 14.0). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { embeddedFields as environmentFields, presentEmbedded as presentEnvironment } from '../environments/entity.ts'
import { environmentsById } from '../environments/queries.ts'
import { Deployable, type Deployables, deployablesOf, presentDeployable } from './deployable.ts'
import type { DeploymentRow } from './queries.ts'
import { deploymentMachine } from './states.ts'

/** What an environment shows of its last deployment (document 2 "Environment"). */
export const embeddedFields = {
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  ref: text('Name of the branch or tag'),
  sha: text('ID of the commit'),
  created_at: DateTime('When it was created'),
  status: OneOf(deploymentMachine.states as ['created', 'running', 'success', 'failed', 'canceled', 'skipped'], {
    description: 'Status of the deployment',
  }),
  /** Null if the account was deleted. */
  user: Nullable(described('The user who deployed; null where the account is deleted', Type.Object(summaryFields))),
  deployable: Nullable(described('The job that deploys; null where the API made the deployment', Deployable)),
}

/** The related rows that deployments need. */
export interface Loaded {
  readonly users: ReadonlyMap<number, SummaryRow>
  readonly deployables: Deployables
}

export const load = async (ctx: Context, rows: readonly DeploymentRow[]): Promise<Loaded> => ({
  users: await usersById(ctx.db, idsOf(rows, 'user_id')),
  deployables: await deployablesOf(ctx, rows),
})

/** The values of `embeddedFields`. */
export function presentEmbedded(row: DeploymentRow, { users, deployables }: Loaded, facts: Facts) {
  const user = row.user_id === null ? undefined : users.get(row.user_id)
  return {
    id: row.id,
    iid: row.iid,
    ref: row.ref,
    sha: row.sha,
    created_at: row.created_at,
    status: row.status,
    user: user ? presentSummary(user, facts) : null,
    deployable: presentDeployable(row, deployables, facts),
  }
}

export const Deployment = entity({
  name: 'Deployment',
  schema: Type.Object({
    ...embeddedFields,
    updated_at: DateTime('When it was last changed'),
    environment: described('The environment', Type.Object(environmentFields)),
  }),
  load: async (ctx: Context, rows: readonly DeploymentRow[]) => ({
    ...(await load(ctx, rows)),
    environments: await environmentsById(ctx.db, idsOf(rows, 'environment_id')),
  }),
  present: (row: DeploymentRow, { environments, ...loaded }, facts) => ({
    ...presentEmbedded(row, loaded, facts),
    updated_at: row.updated_at,
    environment: presentEnvironment(environments.get(row.environment_id)!),
  }),
})
