/** SSH keys as JSON (keys and users APIs). */
import Type from 'typebox'
import { anyOf } from '../../platform/db/statements/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { UserProfile } from '../users/entity.ts'
import { idsOf, type UserRow, users } from '../users/queries.ts'
import type { KeyRow } from './queries.ts'

/** The fields of a key, of a user or without one. */
export const keyFields = {
  id: integer('ID, unique on the instance'),
  title: text('Title of the key'),
  key: text("Public key in OpenSSH's format"),
  created_at: DateTime('When it was created'),
  expires_at: Nullable(DateTime('When the key expires; null: never')),
}

/** The values of `keyFields`. */
export const presentKey = (row: Pick<KeyRow, keyof typeof keyFields>) => ({
  id: row.id,
  title: row.title,
  key: row.key,
  created_at: row.created_at,
  expires_at: row.expires_at,
})

export const SshKey = entity({ name: 'SshKey', schema: Type.Object(keyFields), present: presentKey })

type Owners = ReadonlyMap<number, UserRow>

/** A key with its owner. */
export const SshKeyWithUser = entity({
  name: 'SshKeyWithUser',
  schema: Type.Object({ ...keyFields, user: described('The user who has the key', UserProfile.schema) }),
  load: async ({ db }: Context, rows: readonly KeyRow[]): Promise<Owners> => {
    const owners = await users(db)
      .where('users.id', '=', anyOf(idsOf(rows, 'user_id')))
      .execute()
    return new Map(owners.map(owner => [owner.id, owner]))
  },
  present: (row: KeyRow, owners: Owners, facts) => ({
    ...presentKey(row),
    user: UserProfile.present(owners.get(row.user_id) as UserRow, undefined, facts),
  }),
})
