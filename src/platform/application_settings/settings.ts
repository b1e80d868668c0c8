/**
 * The settings of the instance, under the names that the public API gives them where it has them. Each is a column of
 * `application_settings`, whose default value is the default of the setting, and each has an effect: a setting without one does not belong here.
 */
import Type, { type TSchema } from 'typebox'
import { languages } from '../access/preferences.ts'
import { WebAddress } from '../kernel/addresses/web_address.ts'
import { CommaList, flag, integer, Nullable, OneOf, text } from '../kernel/declaration/types.ts'
import { importSources } from './import_sources.ts'

const visibilities = ['private', 'internal', 'public'] as const

/** The longest life of a kind of credential. */
const longestLife = (what: string) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
    description: `Days after which ${what} have ended, existing ones too; null: none`,
  })

/** A text that may be empty: null then. */
const words = (about: string, options: { readonly maxLength: number; readonly pattern?: string } = { maxLength: 255 }) =>
  Nullable(Type.String(options), { description: `${about}; null: none` })

/** A web address that may be missing. */
const address = (about: string) =>
  Type.Union([WebAddress({ maxLength: 255 }), Type.Literal(''), Type.Null()], { description: `${about}; null: none` })

/** Which SSH keys of a type are taken. */
const keyRestriction = (type: string, sizes: readonly number[]) =>
  Type.Union(
    [0, -1, ...sizes].map(size => Type.Literal(size)),
    { description: `Bits that an ${type} key has at least; 0: any, -1: none are taken` },
  )

/** How long the tokens of a type of runners live. Public behaviour: counted in seconds, at least two hours. */
const runnerTokenLife = (type: string) =>
  Nullable(Type.Integer({ minimum: 7200, maximum: 315_360_000 }), {
    description: `Seconds after which tokens of ${type} runners have ended, existing ones too; null: none`,
  })

/** The schema of each setting, by its name. */
export const settings = {
  default_project_visibility: OneOf(visibilities, { description: 'Visibility of a new project for which none is given' }),
  default_snippet_visibility: OneOf(visibilities, { description: 'Visibility that the page for a new snippet begins with' }),
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
  max_invitation_lifetime: longestLife('links of invitations'),
  max_application_secret_lifetime: longestLife('secrets of OAuth applications'),
  runner_token_expiration_interval: runnerTokenLife('instance'),
  group_runner_token_expiration_interval: runnerTokenLife('group'),
  project_runner_token_expiration_interval: runnerTokenLife('project'),
  session_expire_delay: integer('Minutes after which a session that nobody used has ended', { minimum: 1, maximum: 525_600 }),
  max_session_lifetime: integer('Days after which a session has ended, however often it was used', { minimum: 1, maximum: 3650 }),
  password_authentication_enabled_for_web: flag(
    'Whether people sign in with a password on the page. Administrators always do, and all others where there is no sign-in provider',
  ),
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
  require_two_factor_authentication: flag('Whether all users must have a second factor besides their password'),
  require_admin_two_factor_authentication: flag('Whether administrators must have a second factor besides their password'),
  admin_mode: flag(
    'Whether administrators are such in the browser only after they have confirmed that it is them, for six hours; tokens and git are as before',
  ),
  two_factor_grace_period: integer('Hours that users have for setting up a second factor, from their first visit on', {
    minimum: 0,
    maximum: 100_000,
  }),
  daily_invitations_per_user: integer('Mails with an invitation that a user may cause in a day; 0: any number', {
    minimum: 0,
    maximum: 1_000_000,
  }),
  daily_invitations_per_instance: integer('The same for all users together', { minimum: 0, maximum: 1_000_000_000 }),
  issues_create_limit: integer('Issues that a user may create in a minute; 0: any number', { minimum: 0, maximum: 1_000_000 }),
  notes_create_limit: integer('Comments that a user may write in a minute; 0: any number', { minimum: 0, maximum: 1_000_000 }),
  receive_max_input_size: integer('MB that a push may have; 0: any number', { minimum: 0, maximum: 10_000_000 }),
  repository_size_limit: integer(
    'MB that the repository, LFS objects, packages and uploads of a project may take together; 0: any number',
    {
      minimum: 0,
      maximum: 1_000_000_000,
    },
  ),
  default_projects_limit: integer('Personal projects that a new user may have at most', { minimum: 0, maximum: 2_147_483_647 }),
  user_default_external: flag('Whether new users are external'),
  minimum_password_length: integer('Characters that a new password has at least', { minimum: 8, maximum: 128 }),
  rsa_key_restriction: keyRestriction('RSA', [1024, 2048, 3072, 4096]),
  dsa_key_restriction: keyRestriction('DSA', [1024, 2048, 3072]),
  ecdsa_key_restriction: keyRestriction('ECDSA', [256, 384, 521]),
  ed25519_key_restriction: keyRestriction('Ed25519', [256]),
  ecdsa_sk_key_restriction: keyRestriction('ECDSA key on a security device,', [256]),
  ed25519_sk_key_restriction: keyRestriction('Ed25519 key on a security device,', [256]),
  personal_access_token_prefix: text('What new personal access tokens begin with', { maxLength: 20, pattern: '^[a-zA-Z0-9_+=/@:.-]*$' }),
  default_branch_name: words('The first branch of a new repository for which none is given, in place of `main`'),
  default_branch_protection: integer(
    'Protection of default branches in new groups and personal namespaces: 0 none, 1 partial, 2 full, 3 push by Maintainers',
    { minimum: 0, maximum: 3 },
  ),
  default_project_creation: integer('Who creates projects in new groups: 0 no one, 1 Maintainers, 2 Developers too', {
    minimum: 0,
    maximum: 2,
  }),
  restricted_visibility_levels: CommaList(OneOf(visibilities), {
    maxItems: 3,
    description: 'Levels that only administrators give to projects, groups and snippets',
  }),
  default_ci_config_path: words('Where a new project has its CI file, in place of `.gitlab-ci.yml`'),
  shared_runners_enabled: flag('Whether new projects use the runners of the instance'),
  shared_runners_text: words('What pages say about the runners of the instance', { maxLength: 65_536 }),
  default_artifacts_expire_in: text('How long artifacts are kept for which the CI file says nothing: `30 days`; `0`: for ever', {
    minLength: 1,
    maxLength: 255,
  }),
  container_registry_token_expire_delay: integer('Minutes for which a token of the container registry is good', {
    minimum: 1,
    maximum: 1_440,
  }),
  max_artifacts_size: integer('MB that an archive of artifacts may have; 0: as the plan limits say', { minimum: 0, maximum: 10_000_000 }),
  max_pages_size: integer('MB that a static site may have once it is unpacked; 0: any number', { minimum: 0, maximum: 1_000_000 }),
  pages_domain_verification_enabled: flag('Whether a domain leads to a site only while a record of its name servers proves whose it is'),
  keep_latest_artifact: flag('Whether projects may keep the artifacts of the last successful pipeline beyond their expiry'),
  snippet_size_limit: integer('Bytes that a file of a snippet may have', { minimum: 1, maximum: 1_073_741_824 }),
  project_export_enabled: flag('Whether projects are exported as archives'),
  import_sources: CommaList(OneOf(importSources), {
    maxItems: 20,
    description: 'What projects may be imported from: `git` is an address of a repository, `gitlab_project` an archive',
  }),
  max_import_size: integer('MB that an archive may have that is imported; 0: any number', { minimum: 0, maximum: 20_480 }),
  max_attachment_size: integer('MB that an uploaded file may have', { minimum: 1, maximum: 100 }),
  enabled_git_access_protocol: Nullable(OneOf(['ssh', 'http', '']), {
    description: 'The one protocol by which git is used; null or empty: both',
  }),
  password_authentication_enabled_for_git: flag('Whether git over HTTP takes passwords of accounts, and not tokens alone'),
  allow_local_requests_from_web_hooks_and_services: flag('Whether hooks of projects and groups may call addresses that are not public'),
  allow_local_requests_from_system_hooks: flag('Whether hooks of the instance may call addresses that are not public'),
  outbound_local_requests_whitelist: CommaList(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 1_000,
    description: 'Hosts, addresses and networks that hooks may call although they are not public, besides those of `INGOT_OUTBOUND_ALLOW`',
  }),
  home_page_url: address('Where the first page leads visitors who are not signed in'),
  after_sign_out_path: words('The path of this instance to which people are led who sign out', {
    maxLength: 255,
    pattern: '^$|^/([^/\\\\]|$)',
  }),
  sign_in_text: words('What the page for signing in says', { maxLength: 65_536 }),
  after_sign_up_text: words('What people read who have made an account', { maxLength: 65_536 }),
  help_page_text: words('What the first page of the handbook says before the rest', { maxLength: 65_536 }),
  help_page_support_url: address('Where people get help besides the handbook'),
  email_additional_text: words('What each mail ends with', { maxLength: 1_000 }),
  commit_email_hostname: text(
    'Domain of the addresses that take no mail, which people choose for their commits. Commits with an address of another domain are then no longer theirs',
    { minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$' },
  ),
  default_preferred_language: OneOf(languages, {
    description: 'Language of mails to people who chose none, and to addresses without an account',
  }),
  html_emails_enabled: flag('Whether mails have HTML besides their text'),
} as const satisfies Record<string, TSchema>

/** The JSON of all settings. */
export const ApplicationSettingsJson = Type.Object(settings)
