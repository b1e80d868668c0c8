/** A key that was found by its fingerprint, with who has it (keys API at 14.0). */
import Type from 'typebox'
import { keyFields, presentKey } from '../../identity/keys/entity.ts'
import type { FoundKey } from '../../identity/keys/queries.ts'
import { UserProfile } from '../../identity/users/entity.ts'
import { type UserRow, users } from '../../identity/users/queries.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable } from '../../platform/kernel/declaration/types.ts'
import { type DeployKeyLink, linksOf } from './queries.ts'

const Link = Type.Object({
  id: integer('ID, unique on the instance'),
  deploy_key_id: integer('ID of the deploy key'),
  project_id: integer('ID of the project'),
  created_at: DateTime('When the project enabled it'),
  updated_at: DateTime('When that was last changed'),
  can_push: flag('Whether the key may push to the project'),
})

interface Loaded {
  readonly holders: ReadonlyMap<number, UserRow>
  readonly links: ReadonlyMap<number, DeployKeyLink[]>
}

const holderOf = (row: FoundKey) => row.user_id ?? row.created_by

/** A key with its user; of a deploy key, who made it, and the projects that have enabled it. */
export const KeyWithHolder = entity({
  name: 'KeyWithHolder',
  schema: Type.Object({
    ...keyFields,
    user: described(
      'The user who has the key; of a deploy key, the user who made it, or null where that account is gone',
      Nullable(UserProfile.schema),
    ),
    deploy_keys_projects: Type.Optional(Type.Array(Link, { description: 'Of a deploy key: the projects that have enabled it' })),
  }),
  load: async ({ db }: Context, rows: readonly FoundKey[]): Promise<Loaded> => {
    const ids = rows.map(holderOf).filter(id => id !== null)
    const holders = await users(db).where('users.id', '=', anyOf(ids)).execute()
    const links = await linksOf(
      db,
      rows.map(row => row.id),
    )
    return { holders: new Map(holders.map(holder => [holder.id, holder])), links }
  },
  present: (row: FoundKey, { holders, links }: Loaded, facts) => {
    const holder = holders.get(holderOf(row) ?? 0)
    return {
      ...presentKey(row),
      user: holder ? UserProfile.present(holder, undefined, facts) : null,
      // Contract: keys of users have no such list (keys API).
      ...(row.user_id === null && { deploy_keys_projects: links.get(row.id) ?? [] }),
    }
  },
})
