/** A trigger token as JSON (pipeline triggers API at 14.0). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { TRIGGER_TOKEN_PURPOSE } from './commands.ts'
import type { TriggerRow } from './queries.ts'

/** The part of a token that users other than its owner see. */
const SHOWN = 4

export const Trigger = entity({
  name: 'Trigger',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    // Contract: in full for its owner, the first four characters for others (pipeline triggers API).
    token: text('Token of the trigger; for others than its owner only the first characters'),
    description: Nullable(text('Description of the trigger; null where there is none')),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
    last_used: Nullable(DateTime('When it was last used; null: never')),
    owner: Nullable(described('The user whom its pipelines run as; null where the account is deleted', Type.Object(summaryFields))),
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
