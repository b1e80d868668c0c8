/** Ids for the scopes of accounts and of what belongs to them, and of the instance. */
import type { Where } from './examples.ts'
import type { Things } from './world.ts'

export const accountScopes: Readonly<Record<string, (where: Where) => Things>> = {
  inUser: ({ world }) => ({ user_id: world.other.id }),
  inAdminMode: () => ({}),
  inUserById: ({ world }) => ({ id: world.other.id }),
  inIdentity: ({ world }) => ({ id: world.other.id, provider: 'ldapmain' }),
  inBillableMember: ({ place }) => ({ id: place.group.id, user_id: place.things.member as number }),
  inInstanceLicense: () => ({ id: 1 }),
  inUserByIdCustomAttribute: ({ world }) => ({ id: world.other.id, key: 'key-1' }),
  inPersonalAccessToken: ({ own }) => ({ id: own.token as number }),
  inImpersonationToken: ({ world }) => ({ user_id: world.other.id, impersonation_token_id: world.things.impersonation_token as number }),
  inUsername: ({ world }) => ({ username: world.other.username }),
}
