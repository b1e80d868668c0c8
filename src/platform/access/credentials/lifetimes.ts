/**
 * Where every credential ends. Each column by which a credential is found stands here with its longest life, if the instance can set one, and
 * with what else ends it; a test finds columns that are missing. A longest life holds for credentials that exist: it is looked up on use.
 */
import { type RawBuilder, sql } from 'kysely'
import type { ApplicationSettings } from '../../db/schema.ts'

type SettingName = keyof ApplicationSettings & (`max_${string}` | `${string}token_expiration_interval`)

/** The longest life of a kind of credential. */
interface Longest {
  /** The setting of the instance; none where it is null. One for each value of the column `by`, where the row decides which counts. */
  readonly setting: SettingName | { readonly by: string; readonly settings: Readonly<Record<string, SettingName>> }
  /** What the setting counts in. */
  readonly unit: 'day' | 'second'
  /** The column that says since when it lives. */
  readonly since: string
}

interface CredentialKind {
  /** What it is, and what ends it besides its longest life. */
  readonly says: string
  readonly longest?: Longest
  /** The column with an end of its own, if it has one. */
  readonly ends?: string
}

/** Every kind, by the table and column that it is found by. */
export const credentialKinds = {
  'personal_access_tokens.digest': {
    says: 'Personal, impersonation, project and group access tokens: revoked, rotated, at the day given for them, or with their user',
    longest: { setting: 'max_personal_access_token_lifetime', unit: 'day', since: 'created_at' },
    ends: 'expires_at',
  },
  'keys.fingerprint_sha256': {
    says: 'SSH keys of people and deploy keys: deleted, at the time given for them, or with their user or project',
    longest: { setting: 'max_ssh_key_lifetime', unit: 'day', since: 'created_at' },
    ends: 'expires_at',
  },
  'deploy_tokens.digest': {
    says: 'Deploy tokens: deleted, or at the time given for them',
    longest: { setting: 'max_deploy_token_lifetime', unit: 'day', since: 'created_at' },
    ends: 'expires_at',
  },
  'pipeline_triggers.token_digest': {
    says: 'Tokens that start pipelines: deleted, or when their owner may not run pipelines any more',
    longest: { setting: 'max_trigger_token_lifetime', unit: 'day', since: 'created_at' },
  },
  'scim_tokens.digest': {
    says: 'Tokens of identity providers: replaced, or when the SCIM of their group is turned off; they only take away once who made them owns the group no more',
    longest: { setting: 'max_scim_token_lifetime', unit: 'day', since: 'created_at' },
  },
  'runners.token_digest': {
    says: 'Tokens of runners: reset, or when the runner is removed',
    longest: {
      setting: {
        by: 'runner_type',
        settings: {
          instance_type: 'runner_token_expiration_interval',
          group_type: 'group_runner_token_expiration_interval',
          project_type: 'project_runner_token_expiration_interval',
        },
      },
      unit: 'second',
      since: 'token_created_at',
    },
  },
  'runners_tokens.digest': {
    says: 'Tokens that runners register with: reset; one that the configuration sets, when it is changed there',
    longest: { setting: 'max_registration_token_lifetime', unit: 'day', since: 'created_at' },
  },
  'oauth_access_tokens.digest': {
    says: 'OAuth access tokens: after `oauth_access_token_lifetime`, revoked, refreshed, or when the password changes or the account is blocked',
    longest: { setting: 'max_oauth_grant_lifetime', unit: 'day', since: 'granted_at' },
    ends: 'expires_at',
  },
  'oauth_access_tokens.refresh_digest': {
    says: 'OAuth refresh tokens: used, after `oauth_refresh_token_lifetime` without use, or with their access token',
    longest: { setting: 'max_oauth_grant_lifetime', unit: 'day', since: 'granted_at' },
  },
  'oauth_authorization_codes.digest': { says: 'OAuth codes: used, or after ten minutes', ends: 'expires_at' },
  'oauth_device_grants.device_digest': { says: 'Codes of devices: exchanged, denied, or after ten minutes', ends: 'expires_at' },
  'oauth_device_grants.user_code_digest': { says: 'What people type for a device: answered, or after ten minutes', ends: 'expires_at' },
  'oauth_applications.secret_digest': {
    says: 'Secrets of OAuth applications: renewed, or when the application is deleted',
    longest: { setting: 'max_application_secret_lifetime', unit: 'day', since: 'secret_created_at' },
  },
  'password_resets.digest': {
    says: 'Links to set a password: used, after two hours (of a new account after a week), or when the address is no longer of the account',
    ends: 'expires_at',
  },
  'email_confirmations.digest': {
    says: 'Links that confirm an address: used, after three days, or when the account does not wait with the address any more',
    ends: 'expires_at',
  },
  'pending_sign_ins.digest': {
    says: 'Sign-ins that wait for the second factor: used, after five minutes, or when the password changes or the account is blocked',
    ends: 'expires_at',
  },
  'provider_attempts.digest': {
    says: 'Attempts to sign in at a provider: used, or after fifteen minutes',
    ends: 'expires_at',
  },
  'provider_attempts.browser_digest': { says: 'The browsers that these began in, which open nothing alone', ends: 'expires_at' },
  'saml_answers.digest': {
    says: 'Answers of SAML providers, on their way from the form to the sign-in: used, or after five minutes',
    ends: 'expires_at',
  },
  'saml_answers.assertion_digest': { says: 'The assertions that these are, which open nothing by their ids', ends: 'expires_at' },
  'recovery_codes.digest': { says: 'Recovery codes of two-factor authentication: used, made again, or when it is turned off' },
  'invitations.digest': {
    says: 'Links of invitations: accepted, declined, taken back, or when who invited is no longer active',
    longest: { setting: 'max_invitation_lifetime', unit: 'day', since: 'created_at' },
  },
  'sessions.digest': {
    says: 'Sessions: signed out, after `session_expire_delay` without use, or when the password changes or the account is blocked',
    longest: { setting: 'max_session_lifetime', unit: 'day', since: 'created_at' },
    ends: 'expires_at',
  },
  'jobs.token_digest': { says: 'Tokens of jobs: when the job is over, which its timeout bounds' },
  'jobs.handed_out_digest': { says: 'The same after the job, to tell its runner that it is over: opens nothing' },
  'users.password_digest': { says: 'Passwords: changed, or when the account is blocked' },
} as const satisfies Record<string, CredentialKind>

export type CredentialColumn = keyof typeof credentialKinds

const kinds: Readonly<Record<CredentialColumn, CredentialKind>> = credentialKinds

/** A kind whose longest life the instance sets. */
export type BoundedCredential = {
  [K in CredentialColumn]: (typeof credentialKinds)[K] extends { readonly longest: Longest } ? K : never
}[CredentialColumn]

/** When the longest life of a credential is over, as a timestamp; null where the instance sets none. `alias`: of the table. */
function longestEnd(kind: BoundedCredential, alias: string): RawBuilder<Date | null> {
  const { setting, unit, since } = kinds[kind].longest as Longest
  const count = typeof setting === 'string' ? settingValue(setting) : settingValueBy(setting, alias)
  return sql`${sql.ref(`${alias}.${since}`)} + ${count} * interval ${sql.lit(`1 ${unit}`)}`
}

const settingValue = (setting: SettingName): RawBuilder<number | null> => sql`(select ${sql.ref(setting)} from application_settings)`

function settingValueBy({ by, settings }: Exclude<Longest['setting'], string>, alias: string): RawBuilder<number | null> {
  const cases = Object.entries(settings).map(([value, setting]) => sql`when ${sql.lit(value)} then ${settingValue(setting)}`)
  return sql`case ${sql.ref(`${alias}.${by}`)} ${sql.join(cases, sql` `)} end`
}

/** The settings by which a longest life is set. */
export const settingsOf = ({ setting }: Longest): SettingName[] =>
  typeof setting === 'string' ? [setting] : Object.values(setting.settings)

/** When a credential ends by what was given for it and by its longest life; null for never. */
export function endOf(kind: BoundedCredential, alias: string): RawBuilder<string | null> {
  const { ends } = kinds[kind]
  return ends === undefined ? sql`${longestEnd(kind, alias)}` : sql`least(${sql.ref(`${alias}.${ends}`)}, ${longestEnd(kind, alias)})`
}

/** The same as a day, in UTC, for credentials that end at the beginning of one. */
export const endDayOf = (kind: BoundedCredential, alias: string): RawBuilder<string | null> =>
  sql`least(${sql.ref(`${alias}.${kinds[kind].ends as string}`)}, ((${longestEnd(kind, alias)}) at time zone 'UTC')::date)`

/** Does the credential live at `now`, as far as its end goes? */
export const isInForce = (kind: BoundedCredential, alias: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${endOf(kind, alias)} > ${now}, true)`
