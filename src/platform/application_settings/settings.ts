/**
 * The settings of the instance, under the names that the public API gives them where it has them. Each is a column of
 * `application_settings`, whose default value is the default of the setting, and each has an effect: a setting without one does not belong here.
 */
import Type, { type TSchema } from 'typebox'
import { CommaList, flag, integer, Nullable, OneOf } from '../kernel/declaration/types.ts'

const visibilities = ['private', 'internal', 'public'] as const

/** The longest life of a kind of credential. */
const longestLife = (what: string) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
    description: `Days after which ${what} have ended, existing ones too; null: none`,
  })

/** How long the tokens of a type of runners live. Public behaviour: counted in seconds, at least two hours. */
const runnerTokenLife = (type: string) =>
  Nullable(Type.Integer({ minimum: 7200, maximum: 315_360_000 }), {
    description: `Seconds after which tokens of ${type} runners have ended, existing ones too; null: none`,
  })

/** The schema of each setting, by its name. */
export const settings = {
  default_project_visibility: OneOf(visibilities, { description: 'Visibility of a new project for which none is given' }),
  default_group_visibility: OneOf(visibilities, { description: 'Visibility of a new top-level group for which none is given' }),
  audit_events_retention_days: integer('Days for which entries of the audit log are kept; 0: for ever', { minimum: 0, maximum: 36_500 }),
  scim_provisioning: OneOf(['disabled', 'administrators', 'owners'], {
    description: 'Who turns on the SCIM of a group: nobody, administrators alone, or its owners too',
  }),
  scim_accounts_per_group: integer(
    'Accounts that the identity provider of a top-level group may make, also in subgroups that were deleted since',
    { minimum: 0, maximum: 1_000_000 },
  ),
  scim_accounts_per_owner: integer(
    'Accounts that identity providers may make in all groups whose SCIM the same user turned on without being an administrator, deleted groups included',
    { minimum: 0, maximum: 1_000_000 },
  ),
  scim_email_domains: CommaList(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 1_000,
    description: 'Domains of the addresses that accounts made by SCIM may have; all where the list is empty',
  }),
  scim_existing_users: OneOf(['refused', 'members', 'verified'], {
    description: 'Users with an account that SCIM links: none, members of the group, or all whose address is verified',
  }),
  oauth_access_token_lifetime: integer('Seconds that an OAuth access token lives', { minimum: 300, maximum: 86_400 }),
  oauth_refresh_token_lifetime: integer('Days after which an OAuth refresh token that was not used has ended', {
    minimum: 1,
    maximum: 3650,
  }),
  max_oauth_grant_lifetime: integer(
    'Days after which what a person granted to an application by OAuth has ended, however often it was refreshed',
    { minimum: 1, maximum: 3650 },
  ),
  max_personal_access_token_lifetime: longestLife('personal, impersonation, project and group access tokens'),
  max_ssh_key_lifetime: longestLife('SSH keys and deploy keys'),
  max_deploy_token_lifetime: longestLife('deploy tokens'),
  max_trigger_token_lifetime: longestLife('tokens that start pipelines'),
  max_scim_token_lifetime: longestLife('tokens of identity providers'),
  max_registration_token_lifetime: longestLife('tokens that runners register with'),
  max_application_secret_lifetime: longestLife('secrets of OAuth applications'),
  runner_token_expiration_interval: runnerTokenLife('instance'),
  group_runner_token_expiration_interval: runnerTokenLife('group'),
  project_runner_token_expiration_interval: runnerTokenLife('project'),
  session_expire_delay: integer('Minutes after which a session that nobody used has ended', { minimum: 1, maximum: 525_600 }),
  max_session_lifetime: integer('Days after which a session has ended, however often it was used', { minimum: 1, maximum: 3650 }),
  signup_enabled: flag('Whether people may make accounts of their own'),
  require_admin_approval_after_user_signup: flag('Whether such an account waits for the approval of an administrator'),
  send_user_confirmation_email: flag(
    'Whether people who sign up confirm their address by a link; without effect where the instance sends no mail (`INGOT_SMTP_URL`)',
  ),
  domain_allowlist: CommaList(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 1_000,
    description: 'Domains of the primary addresses that people choose, `*` for any characters; all where the list is empty',
  }),
  domain_denylist_enabled: flag('Whether the domains of `domain_denylist` are refused'),
  domain_denylist: CommaList(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 1_000,
    description: 'Domains that such addresses may not have, `*` for any characters, where `domain_denylist_enabled` is on',
  }),
  receive_max_input_size: integer('MB that a push may have; 0: any number', { minimum: 0, maximum: 10_000_000 }),
  repository_size_limit: integer('MB that the repository, LFS objects and uploads of a project may take together; 0: any number', {
    minimum: 0,
    maximum: 1_000_000_000,
  }),
} as const satisfies Record<string, TSchema>

/** The JSON of all settings. */
export const ApplicationSettingsJson = Type.Object(settings)
