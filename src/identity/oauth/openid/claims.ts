/** What an application may know of the user who signs in with it (OpenID Connect Core 1.0 section 5). */
import { sql } from 'kysely'
import { isCurrentMembership } from '../../../platform/access/memberships.ts'
import { roles } from '../../../platform/access/open_to.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** The facts of a user that claims are made of. */
export interface Subject {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly email: string
  readonly public_email: string
  readonly website_url: string
  readonly avatar_url: string | null
  /** The confirmed addresses of the account, in small letters. */
  readonly confirmed: readonly string[]
  /** Full paths of the groups that the user is a member of, directly or through one above. */
  readonly groups: readonly string[]
  /** The groups with a membership of their own, and its level. */
  readonly direct: readonly { readonly path: string; readonly level: number }[]
}

/** The facts of one user, in one statement. */
export async function subjectById(db: Db, id: number): Promise<Subject | undefined> {
  const direct = sql`
    select n.id, r.path, m.access_level from members m join namespaces n on n.id = m.namespace_id join routes r on r.namespace_id = n.id
     where m.user_id = u.id and n.kind = 'group' and ${isCurrentMembership()}`
  const { rows } = await sql<Subject>`
    select u.id, u.name, u.username, u.email, u.public_email, u.website_url, u.avatar_url,
           array(select lower(u.email) where u.confirmed_at is not null
                 union all select lower(e.email) from emails e where e.user_id = u.id and e.confirmed_at is not null) as confirmed,
           array(select r.path from namespaces below join routes r on r.namespace_id = below.id
                  where below.kind = 'group' and below.traversal_ids && array(select d.id from (${direct}) d)
                  order by r.path) as groups,
           (select coalesce(json_agg(json_build_object('path', d.path, 'level', d.access_level) order by d.path), '[]')
              from (${direct}) d) as direct
      from users u where u.id = ${id}`.execute(db)
  return rows[0]
}

/** The claims of roles, by the level that they are about (public documentation of the platform's provider). */
const roleClaims = {
  'https://gitlab.org/claims/groups/owner': roles.owner,
  'https://gitlab.org/claims/groups/maintainer': roles.maintainer,
  'https://gitlab.org/claims/groups/developer': roles.developer,
} as const

/** All claims that there are, besides those of the protocol itself. */
export const claimNames = [
  'sub',
  'name',
  'nickname',
  'preferred_username',
  'email',
  'email_verified',
  'website',
  'profile',
  'picture',
  'groups',
  'groups_direct',
  ...Object.keys(roleClaims),
] as const

/** An address that the user has confirmed, or none: the primary one with the scope `email`, else the public one. Pure. */
function emailClaims({ email, public_email, confirmed }: Subject, scopes: readonly string[]) {
  const address = scopes.includes('email') ? email : public_email
  return confirmed.includes(address.toLowerCase()) ? { email: address, email_verified: true } : {}
}

/** The claims of an id token besides those of the protocol. Pure. */
export const idTokenClaims = (subject: Subject, scopes: readonly string[]) => ({
  ...emailClaims(subject, scopes),
  groups_direct: subject.direct.map(({ path }) => path),
})

/** The claims that `/oauth/userinfo` answers. Pure. */
export const userInfoClaims = (subject: Subject, scopes: readonly string[], url: string) => ({
  sub: String(subject.id),
  name: subject.name,
  nickname: subject.username,
  preferred_username: subject.username,
  ...emailClaims(subject, scopes),
  ...(subject.website_url && { website: subject.website_url }),
  profile: `${url}/${subject.username}`,
  ...(subject.avatar_url && { picture: `${url}${subject.avatar_url}` }),
  groups: [...subject.groups],
  ...Object.fromEntries(
    Object.entries(roleClaims).flatMap(([name, role]) => {
      const paths = subject.direct.filter(({ level }) => level === role).map(({ path }) => path)
      return paths.length > 0 ? [[name, paths]] : []
    }),
  ),
})
