/** A trigger token as JSON (pipeline triggers API at 14.0). */
import Type from 'typebox'
import { presentSummary, type SummaryRow, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { TRIGGER_TOKEN_PURPOSE } from './commands.ts'
import type { TriggerRow } from './queries.ts'

/** The part of a token that users other than its owner see. */
const SHOWN = 4

export const Trigger = entity({
  name: 'Trigger',
  schema: Type.Object({
    id: Type.Integer(),
    // Contract: in full for its owner, the first four characters for others (pipeline triggers API).
    token: Type.String(),
    description: Nullable(Type.String()),
    created_at: DateTime(),
    updated_at: DateTime(),
    last_used: Nullable(DateTime()),
    owner: Nullable(Type.Object(summaryFields)),
  }),
  load: async ({ db, deps }: Context, rows: readonly TriggerRow[]) => ({
    users: await usersById(db, idsOf(rows, 'owner_id')),
    tokens: new Map(rows.map(({ id, token }) => [id, deps.secrets.decrypt(token, TRIGGER_TOKEN_PURPOSE)])),
  }),
  present(row: TriggerRow, { users, tokens }: { users: ReadonlyMap<number, SummaryRow>; tokens: ReadonlyMap<number, Secret> }, facts) {
    const owner = row.owner_id === null ? undefined : users.get(row.owner_id)
    const token = (tokens.get(row.id) as Secret).reveal()
    return {
      id: row.id,
      token: owner && owner.id === facts.actor.user?.id ? token : token.slice(0, SHOWN),
      description: row.description,
      created_at: row.created_at,
      updated_at: row.updated_at,
      last_used: row.last_used_at,
      owner: owner ? presentSummary(owner, facts) : null,
    }
  },
})
