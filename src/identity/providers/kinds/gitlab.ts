/** Sign-in by another instance of this API. Its groups are the full paths of those that the person is a member of. */
import Type from 'typebox'
import { flag, text } from '../../../platform/kernel/declaration/types.ts'
import { withoutEndingSlashes } from '../../../platform/patterns/slashes.ts'
import { allOf, oauthKind, oauthSettings } from './oauth.ts'

const settings = Type.Object(
  {
    ...oauthSettings,
    url: text('Address of the instance', { minLength: 1 }),
    groups: flag('Groups are asked for', { default: false }),
  },
  { additionalProperties: false },
)

const User = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  confirmed_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  two_factor_enabled: Type.Optional(Type.Boolean()),
})
const Group = Type.Object({ full_path: Type.String() })

export const gitlab = oauthKind('gitlab', settings, {
  places: ({ url }) => ({
    issuer: withoutEndingSlashes(url),
    authorize: `${withoutEndingSlashes(url)}/oauth/authorize`,
    token: `${withoutEndingSlashes(url)}/oauth/token`,
    api: `${withoutEndingSlashes(url)}/api/v4`,
  }),
  // Groups are no part of what `read_user` shows.
  scope: ({ groups }) => (groups ? 'read_api' : 'read_user'),
  async person(ask, { groups }) {
    const user = await ask('/user', User)
    const memberOf = groups ? await allOf(ask, '/groups?min_access_level=10', Group) : []
    return {
      uid: String(user.id),
      username: user.username,
      name: user.name,
      email: user.email ?? undefined,
      // The instance shows the primary address here, with when it was confirmed.
      emailVerified: typeof user.confirmed_at === 'string',
      groups: memberOf.map(({ full_path }) => full_path),
      secondFactor: user.two_factor_enabled,
    }
  },
})
