/**
 * From a secret to the person it belongs to: one statement per request. Only digests are compared.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { compiled } from '../../db/statements/compiled.ts'
import { singleFlight } from '../../db/statements/single_flight.ts'
import { type ActingUser, asUser, type Credential, provenUser, type UserActor } from '../actor.ts'
import { featureEnabled } from '../feature_flags.ts'
import { isCurrentMembership } from '../memberships.ts'
import { endDayOf, isInForce } from './lifetimes.ts'
import { noteGrace, type SecondFactorRow, secondFactorColumns, secondFactorDue } from './second_factor.ts'
import type { TokenScope } from './token_scopes.ts'

/** A credential that was found, valid or not. */
export interface Found {
  readonly user: ActingUser
  readonly credential: Credential
  /** The administrator who acts as the user. */
  readonly sudoBy?: ActingUser | undefined
}

/** The address that is written into commits: a private one (identity/emails/private_email.ts) is made of id and username. */
const commitEmail = sql`case u.commit_email when '_private' then private_commit_email(u.id, u.username) else u.commit_email end`

/** With the caller, so that what is limited takes no statement more. */
const creationLimits = sql`(select json_build_object('issues_create_limit', issues_create_limit, 'notes_create_limit', notes_create_limit)
  from application_settings)`

const userColumns = sql`u.id as user_id, u.username, u.name, u.email, ${commitEmail} as commit_email, u.admin, u.external, u.state, u.kind as user_kind, u.avatar_url, u.creator_id, u.last_activity_on, ${creationLimits} as creation_limits`

interface Row {
  id: number
  kind: 'personal_access_token' | 'oauth_token'
  scopes: TokenScope[]
  impersonation: boolean
  last_used_at: string | null
  user_id: number
  username: string
  name: string
  email: string
  commit_email: string | null
  creation_limits: ActingUser['creation_limits']
  admin: boolean
  external: boolean
  state: ActingUser['state']
  user_kind: string
  avatar_url: string | null
  creator_id: number | null
  last_activity_on: string | null
}

/** What a token that may be personal, impersonation, project or OAuth opens; undefined when unknown, expired or revoked. */
export const findToken = singleFlight((digest: string, _now: Date) => digest, holderOf)

async function holderOf(db: Db, digest: string, now: Date): Promise<Found | undefined> {
  const [row] = await tokenRows(db, digest, now)
  if (!row) return undefined
  await noteUse(db, row, now)
  await noteActivity(db, row, now)
  return { user: actingUser(row), credential: { kind: row.kind, id: row.id, scopes: row.scopes, impersonation: row.impersonation } }
}

const tokenRows = compiled(
  (_db, digest: string, now: Date) => sql<Row>`
    select t.id, 'personal_access_token' as kind, t.scopes, t.impersonation, t.last_used_at, ${userColumns}
      from personal_access_tokens t join users u on u.id = t.user_id
     where t.digest = ${digest} and not t.revoked and coalesce(${endDayOf('personal_access_tokens.digest', 't')} > ${now}::timestamptz::date, true)
    union all
    select t.id, 'oauth_token', t.scopes, false, t.last_used_at, ${userColumns}
      from oauth_access_tokens t join users u on u.id = t.user_id
     where t.digest = ${digest} and t.revoked_at is null and ${isInForce('oauth_access_tokens.digest', 't', now)}`,
)

/**
 * Whom a job's token acts for: the user of the job, while it runs (document 1, Authentication rule 4). Undefined once it is over, or the
 * account is gone.
 */
export async function findRunningJob(db: Db, digest: string): Promise<Found | undefined> {
  const { rows } = await sql<Row & { project_id: number }>`
    select j.id, j.project_id, ${userColumns} from jobs j join users u on u.id = j.user_id
     where j.token_digest = ${digest} and j.status = 'running'`.execute(db)
  const row = rows[0]
  return row && heldByJob(db, actingUser(row), row)
}

/**
 * The user of a job as its token acts for them, looked up now: for what the server does on behalf of the job. Undefined for nobody, and for
 * an account that is not active.
 */
export async function actingAsJob(
  db: Db,
  job: { readonly id: number; readonly project_id: number; readonly user_id: number | null },
): Promise<UserActor | undefined> {
  const actor = await actingAs(db, job.user_id)
  if (!actor) return undefined
  const { user, credential } = await heldByJob(db, actor.user, job)
  return provenUser(user, credential)
}

/** A script that other users wrote acts for this one: never with an administrator's reach. */
async function heldByJob(
  db: Db,
  user: ActingUser,
  { id, project_id }: { readonly id: number; readonly project_id: number },
): Promise<Found> {
  const credential = { kind: 'job_token', jobId: id, projectId: project_id, ofAdmin: user.admin } as const
  return { user: { ...user, admin: false }, credential: { ...credential, confined: await isConfined(db, project_id) } }
}

/**
 * Do the jobs of a project reach only the projects that it lists? Where the project says so, or the flag `ci_job_token_scope` is on for it
 * (document 1, Authentication rule 4).
 */
export async function isConfined(db: Db, projectId: number): Promise<boolean> {
  const project = await db.selectFrom('projects').select('ci_job_token_scope_enabled').where('id', '=', projectId).executeTakeFirst()
  return project?.ci_job_token_scope_enabled === true || featureEnabled(db, 'ci_job_token_scope', { project: { id: projectId } })
}

/** How long sessions live: without use, and at all (application settings). */
export interface SessionLifetimes {
  /** Minutes. */
  readonly session_expire_delay: number
  /** Days. */
  readonly max_session_lifetime: number
}

/** When a session that is used now ends, in milliseconds. */
export const sessionEnd = (now: Date, createdAt: Date, { session_expire_delay, max_session_lifetime }: SessionLifetimes): number =>
  Math.min(now.getTime() + session_expire_delay * 60_000, createdAt.getTime() + max_session_lifetime * 86_400_000)

interface SessionRow extends SessionLifetimes, SecondFactorRow {
  readonly id: number
  /** Whose session it is. */
  readonly holder_id: number
  /** The administrator whose session it is, where they act as another user. */
  readonly administrator: ActingUser | null
  readonly created_at: string
  readonly expires_at: string
  readonly confirmed_at: string
  readonly preferences: NonNullable<ActingUser['preferences']>
  readonly sign_ons_due: readonly number[]
  /** Whether the session of an administrator is in admin mode; null where there is none, and for other users. */
  readonly admin_mode: boolean | null
}

/**
 * Who a session cookie belongs to; using a session prolongs it. An administrator acts as another user only while they may, and while the account
 * of that user is active: otherwise the session is their own again.
 * @param impersonates whether the instance lets administrators act as others
 */
export async function findSession(db: Db, digest: string, now: Date, impersonates: boolean): Promise<Found | undefined> {
  const row = await sessionRow(db, sql`s.digest = ${digest}`, now, impersonates)
  if (!row) return undefined
  await prolong(db, row, now)
  await noteGrace(db, row.holder_id, row, now)
  // What an administrator does is no activity of the user.
  if (!row.administrator) await noteActivity(db, row, now)
  return foundBySession(row, now)
}

/** Whose a session is that was found before, by the id of its row; undefined once it has ended. Asking does not prolong it. */
export async function sessionNow(db: Db, id: number, now: Date, impersonates: boolean): Promise<Found | undefined> {
  const row = await sessionRow(db, sql`s.id = ${id}`, now, impersonates)
  return row && foundBySession(row, now)
}

/** For how long an administrator stays in admin mode. */
const ADMIN_MODE = sql`interval '6 hours'`

/** Is the session `s` of the user `o` that of an administrator, under the settings `a`? */
const administers = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(o.admin and (not a.admin_mode or coalesce(s.admin_mode_since > ${now}::timestamptz - ${ADMIN_MODE}, false)))`

/** For how long a sign-in with the provider of a group counts. */
const SIGN_ON = sql`interval '24 hours'`

/** Has the session `s` signed in with the provider `p` of a group, as it began or since? */
export const hasSignedOn = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  (s.provider is not distinct from p.name and s.created_at > ${now}::timestamptz - ${SIGN_ON})
  or exists (select from session_sign_ons x where x.session_id = s.id and x.saml_provider_id = p.id
                and x.signed_on_at > ${now}::timestamptz - ${SIGN_ON}))`

/** The ids of the top-level groups that the user `u` is a member of, or of anything in: the sign-in of others is nothing to them. */
const topGroupsOf = sql`select home.traversal_ids[1] from memberships m left join projects on projects.id = m.project_id
  join namespaces home on home.id = coalesce(m.namespace_id, projects.namespace_id) where m.user_id = u.id and ${isCurrentMembership()}`

async function sessionRow(db: Db, condition: RawBuilder<unknown>, now: Date, impersonates: boolean) {
  const { rows } = await sql<Row & SessionRow>`
    select s.id, s.created_at, s.expires_at, s.confirmed_at, a.session_expire_delay, a.max_session_lifetime, u.preferences, ${userColumns},
           case when a.admin_mode and o.admin then ${administers(now)} end as admin_mode, o.id as holder_id, ${secondFactorColumns},
           case when u.id <> s.user_id then json_build_object(
             'id', o.id, 'username', o.username, 'name', o.name, 'email', o.email, 'admin', o.admin, 'external', o.external,
             'state', o.state, 'kind', o.kind, 'avatar_url', o.avatar_url, 'creator_id', o.creator_id) end as administrator,
           array(select p.group_id from saml_providers p
                  where p.enabled and p.enforced and p.group_id in (${topGroupsOf}) and not ${hasSignedOn(now)}) as sign_ons_due
      from sessions s
     cross join application_settings a
      join users o on o.id = s.user_id
      left join users t on t.id = s.acting_as_id and t.state = 'active' and ${administers(now)} and o.state = 'active' and ${impersonates}
      join users u on u.id = coalesce(t.id, o.id)
     where ${condition} and s.expires_at > ${now}
       and s.created_at > ${now}::timestamptz - a.max_session_lifetime * interval '1 day'`.execute(db)
  return rows[0]
}

const foundBySession = (row: Row & SessionRow, now: Date): Found => ({
  user: { ...actingUser(row), admin: row.admin && row.admin_mode !== false, preferences: row.preferences },
  credential: {
    kind: 'session',
    id: row.id,
    confirmedAt: Date.parse(row.confirmed_at),
    secondFactorDue: secondFactorDue(row, now),
    signOnsDue: row.sign_ons_due,
    // Who acts as another user is in it.
    adminMode: row.administrator ? undefined : (row.admin_mode ?? undefined),
  },
  sudoBy: row.administrator ?? undefined,
})

/** A user by id or by name in any case, for sudo (document 1, Authentication rule 6). */
export async function findActingUser(db: Db, idOrUsername: string): Promise<ActingUser | undefined> {
  // Nobody is called so, and no text of PostgreSQL has it; the kernel refuses it in parameters, but `sudo` comes before them.
  if (idOrUsername.includes('\0')) return undefined
  const byId = /^\d{1,15}$/.test(idOrUsername)
  const { rows } = await sql<Row>`
    select ${userColumns} from users u
     where ${byId ? sql`u.id = ${Number(idOrUsername)}` : sql`lower(u.username) = lower(${idOrUsername})`}`.execute(db)
  return rows[0] && actingUser(rows[0])
}

/**
 * The user with this id as an actor, looked up now, for work that goes on without a request of theirs: tasks, listeners, schedules. Undefined
 * for nobody, for an account that is gone, and for one that is not active (any more): what was asked in their name is not done.
 */
export async function actingAs(db: Db, userId: number | null): Promise<UserActor | undefined> {
  const user = userId === null ? undefined : await findActingUser(db, String(userId))
  return user?.state === 'active' ? asUser(user) : undefined
}

/**
 * The user with this id as the author of what they did before, whatever has become of the account since: their name stands on notes about
 * it. Abilities say no to an account that is not active, so that nothing else comes of it.
 */
export async function authorOf(db: Db, userId: number | null): Promise<UserActor | undefined> {
  const user = userId === null ? undefined : await findActingUser(db, String(userId))
  return user && asUser(user)
}

const actingUser = (row: Row): ActingUser => ({
  id: row.user_id,
  username: row.username,
  name: row.name,
  email: row.email,
  commit_email: row.commit_email,
  admin: row.admin,
  external: row.external,
  state: row.state,
  kind: row.user_kind,
  avatar_url: row.avatar_url,
  creator_id: row.creator_id,
  creation_limits: row.creation_limits,
})

/** A token's last use is kept to the minute, so that reading costs no write. */
async function noteUse(db: Db, row: Row, now: Date): Promise<void> {
  if (row.last_used_at && now.getTime() - Date.parse(row.last_used_at) < 60_000) return
  if (row.kind === 'oauth_token') await sql`update oauth_access_tokens set last_used_at = ${now} where id = ${row.id}`.execute(db)
  else await sql`update personal_access_tokens set last_used_at = ${now} where id = ${row.id}`.execute(db)
}

/** A session's end is kept to the hour, or more exactly where sessions are short, so that reading costs no write. */
async function prolong(db: Db, session: SessionRow, now: Date): Promise<void> {
  const end = sessionEnd(now, new Date(session.created_at), session)
  const exactness = Math.min(60, session.session_expire_delay / 10) * 60_000
  if (Math.abs(end - Date.parse(session.expires_at)) < exactness) return
  await sql`update sessions set expires_at = ${new Date(end)} where id = ${session.id}`.execute(db)
}

/** A person's last activity is kept to the day. */
async function noteActivity(db: Db, row: Row, now: Date): Promise<void> {
  if (row.last_activity_on === now.toISOString().slice(0, 10)) return
  await sql`update users set last_activity_on = ${now}::timestamptz::date where id = ${row.user_id}`.execute(db)
}
