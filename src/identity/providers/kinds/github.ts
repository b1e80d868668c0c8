/** Sign-in by GitHub, or by a server of it. Its groups are organizations (`octo`) and teams (`octo/builders`). */
import Type from 'typebox'
import { flag, text } from '../../../platform/kernel/declaration/types.ts'
import { withoutEndingSlashes } from '../../../platform/patterns/slashes.ts'
import type { Provider } from '../provider.ts'
import { allOf, oauthKind, oauthSettings } from './oauth.ts'

const settings = Type.Object(
  {
    ...oauthSettings,
    url: text('Address of the server', { default: 'https://github.com' }),
    groups: flag('Organizations and teams are asked for', { default: false }),
  },
  { additionalProperties: false },
)

const User = Type.Object({ id: Type.Integer(), login: Type.String(), name: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
const Email = Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() })
const Organization = Type.Object({ login: Type.String() })
const Team = Type.Object({ slug: Type.String(), organization: Organization })

/** A server of one's own has its API below its address. */
const apiOf = (url: string): string =>
  withoutEndingSlashes(url) === 'https://github.com' ? 'https://api.github.com' : `${withoutEndingSlashes(url)}/api/v3`

/** Does this provider sign in the people of the server whose API is at this address? Their ids are numbers: those of another server are other people. */
export const signsInPeopleOf = ({ kind, settings }: Provider, api: string): boolean =>
  kind.name === 'github' && apiOf(String(settings.url)) === api

export const github = oauthKind('github', settings, {
  places: ({ url }) => ({
    issuer: `${withoutEndingSlashes(url)}/login/oauth`,
    authorize: `${withoutEndingSlashes(url)}/login/oauth/authorize`,
    token: `${withoutEndingSlashes(url)}/login/oauth/access_token`,
    api: apiOf(url),
  }),
  scope: ({ groups }) => (groups ? 'read:user user:email read:org' : 'read:user user:email'),
  async person(ask, { groups }) {
    const user = await ask('/user', User)
    const emails = await allOf(ask, '/user/emails', Email)
    const primary = emails.find(email => email.primary)
    const organizations = groups ? await allOf(ask, '/user/orgs', Organization) : []
    const teams = groups ? await allOf(ask, '/user/teams', Team) : []
    return {
      // The login may change, and be another person's later.
      uid: String(user.id),
      username: user.login,
      name: user.name ?? undefined,
      email: primary?.email,
      emailVerified: primary?.verified ?? false,
      groups: [...organizations.map(({ login }) => login), ...teams.map(({ slug, organization }) => `${organization.login}/${slug}`)],
    }
  },
})
