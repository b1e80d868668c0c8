/**
 * A user as JSON, in four variants: the summary that other entities embed, the profile, the user as seen by themselves, and by
 * administrators (document 1 "User summary"; users API of the v4 level 14.0).
 */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, Nullable, onTier } from '../../platform/kernel/types.ts'
import { type ActivityRow, type IdentityRow, identitiesOf, type UserRow } from './queries.ts'

/** The fields of a user summary, for entities that extend it. */
export const summaryFields = {
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  state: Type.String(),
  avatar_url: Nullable(Type.String()),
  web_url: Type.String(),
}

/** The fields of an extended user, which jobs embed (document 1 "Extended user"). */
export const extendedFields = {
  ...summaryFields,
  created_at: DateTime(),
  bio: Nullable(Type.String()),
  location: Nullable(Type.String()),
  public_email: Type.String(),
  skype: Type.String(),
  linkedin: Type.String(),
  twitter: Type.String(),
  website_url: Type.String(),
  organization: Nullable(Type.String()),
}

const profileFields = {
  ...extendedFields,
  job_title: Type.String(),
  pronouns: Nullable(Type.String()),
  bot: Type.Boolean(),
}

const ownFields = {
  ...profileFields,
  last_sign_in_at: Nullable(DateTime()),
  confirmed_at: Nullable(DateTime()),
  last_activity_on: Nullable(Day()),
  email: Type.String(),
  theme_id: Type.Integer(),
  color_scheme_id: Type.Integer(),
  projects_limit: Type.Integer(),
  current_sign_in_at: Nullable(DateTime()),
  identities: Type.Array(Type.Object({ provider: Type.String(), extern_uid: Type.String() })),
  can_create_group: Type.Boolean(),
  can_create_project: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  external: Type.Boolean(),
  private_profile: Type.Boolean(),
  commit_email: Type.String(),
}

const adminFields = {
  ...ownFields,
  is_admin: Type.Boolean(),
  note: Nullable(Type.String()),
  current_sign_in_ip: Nullable(Type.String()),
  last_sign_in_ip: Nullable(Type.String()),
  sign_in_count: Type.Integer(),
  namespace_id: Nullable(Type.Integer()),
  is_auditor: onTier('premium', Type.Boolean()),
  shared_runners_minutes_limit: onTier('premium', Nullable(Type.Integer())),
  extra_shared_runners_minutes_limit: onTier('premium', Nullable(Type.Integer())),
}

/** The columns of a user summary. */
export type SummaryRow = Pick<UserRow, 'id' | 'name' | 'username' | 'state' | 'avatar_url'>

/** The values of `summaryFields`. */
export const presentSummary = (row: SummaryRow, { url }: Facts) => ({
  id: row.id,
  name: row.name,
  username: row.username,
  state: row.state,
  avatar_url: row.avatar_url && `${url}${row.avatar_url}`,
  web_url: `${url}/${row.username}`,
})

/** The columns of an extended user. */
export type ExtendedRow = SummaryRow &
  Pick<UserRow, 'created_at' | 'bio' | 'location' | 'public_email' | 'skype' | 'linkedin' | 'twitter' | 'website_url' | 'organization'>

/** The values of `extendedFields`. */
export const presentExtended = (row: ExtendedRow, facts: Facts) => ({
  ...presentSummary(row, facts),
  created_at: row.created_at,
  bio: row.bio,
  location: row.location,
  public_email: row.public_email,
  skype: row.skype,
  linkedin: row.linkedin,
  twitter: row.twitter,
  website_url: row.website_url,
  organization: row.organization,
})

const profile = (row: UserRow, facts: Facts) => ({
  ...presentExtended(row, facts),
  job_title: row.job_title,
  pronouns: row.pronouns,
  bot: row.kind === 'project_bot',
})

type Identities = ReadonlyMap<number, readonly IdentityRow[]>

const own = (row: UserRow, identities: Identities, facts: Facts) => ({
  ...profile(row, facts),
  last_sign_in_at: row.last_sign_in_at,
  confirmed_at: row.confirmed_at,
  last_activity_on: row.last_activity_on,
  email: row.email,
  theme_id: row.theme_id,
  color_scheme_id: row.color_scheme_id,
  projects_limit: row.projects_limit,
  current_sign_in_at: row.current_sign_in_at,
  identities: (identities.get(row.id) ?? []).map(({ provider, extern_uid }) => ({ provider, extern_uid })),
  can_create_group: row.can_create_group,
  can_create_project: row.projects_limit > 0,
  // There is no second factor, only passwords.
  two_factor_enabled: false,
  external: row.external,
  private_profile: row.private_profile,
  commit_email: row.commit_email ?? row.email,
})

/** The user summary of document 1, embedded in most answers. */
export const UserSummary = entity({
  name: 'UserSummary',
  schema: Type.Object(summaryFields),
  present: (row: SummaryRow, _loaded: undefined, facts) => presentSummary(row, facts),
})

/** A user as seen by other signed-in users. */
export const UserProfile = entity({
  name: 'User',
  schema: Type.Object(profileFields),
  present: (row: UserRow, _loaded: undefined, facts) => profile(row, facts),
})

/** A user as seen by themselves. Administrators see `is_admin` here too. */
export const CurrentUser = entity({
  name: 'CurrentUser',
  schema: Type.Object({ ...ownFields, is_admin: Type.Optional(Type.Boolean()) }),
  load: ({ db }, rows: readonly UserRow[]) =>
    identitiesOf(
      db,
      rows.map(row => row.id),
    ),
  present: (row: UserRow, identities: Identities, facts) => ({ ...own(row, identities, facts), ...(row.admin ? { is_admin: true } : {}) }),
})

/** A user as seen by administrators. */
export const UserForAdmins = entity({
  name: 'UserForAdmins',
  schema: Type.Object(adminFields),
  load: ({ db }, rows: readonly UserRow[]) =>
    identitiesOf(
      db,
      rows.map(row => row.id),
    ),
  present: (row: UserRow, identities: Identities, facts) => ({
    ...own(row, identities, facts),
    is_admin: row.admin,
    note: row.note,
    current_sign_in_ip: row.current_sign_in_ip,
    last_sign_in_ip: row.last_sign_in_ip,
    sign_in_count: row.sign_in_count,
    namespace_id: row.namespace_id,
    is_auditor: row.auditor,
    shared_runners_minutes_limit: row.shared_runners_minutes_limit,
    extra_shared_runners_minutes_limit: row.extra_shared_runners_minutes_limit,
  }),
})

/** The last activity of a user: only the day is stored. */
export const Activity = entity({
  name: 'UserActivity',
  // Contract: `last_activity_at` is an older name of `last_activity_on` and contains a day too (users API).
  schema: Type.Object({ username: Type.String(), last_activity_on: Day(), last_activity_at: Day() }),
  present: ({ username, last_activity_on }: ActivityRow) => ({ username, last_activity_on, last_activity_at: last_activity_on }),
})
