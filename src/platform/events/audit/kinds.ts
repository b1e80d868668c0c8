/**
 * Events that only the audit log keeps. Nothing else follows from them, so they have no row in the outbox. A payload holds what the entry
 * shows: names and attributes, never the secret part of a token, key, variable or address.
 */

/** The changed fields of an update; labels and assignees as ids. */
export type ChangeSet = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

/** A resource of a project, group, user or the instance, with its name at that time. */
export interface Named {
  readonly id: number
  readonly name: string
}

/** A resource of one user. */
export interface OwnedByUser extends Named {
  readonly user_id: number
}

/** A resource whose change is shown field by field. */
export interface Changed extends Named {
  readonly changes: ChangeSet
}

/** A protection, with those whom it lets act. */
export interface Protection extends Named {
  readonly levels: readonly {
    /** `push`, `merge`, `unprotect`, `create` or `deploy`. */
    readonly action: string
    readonly access_level?: number | null | undefined
    readonly user_id?: number | null | undefined
    readonly group_id?: number | null | undefined
  }[]
  readonly allow_force_push?: boolean | undefined
}

/** How a user authenticated. */
export type SignInMethod = 'password' | 'oauth' | 'git' | 'approval' | 'confirmation' | 'second_factor' | 'passkey' | `provider ${string}`

/** Sorts of second factors. */
export type SecondFactorKind = 'app' | 'security_key' | 'passkey'

export interface AuditedEvents {
  // Sign-in and impersonation
  'session.started': { user_id: number; method: SignInMethod }
  /** By signing out, or because the password or the state of the account has changed. */
  'session.ended': { user_id: number; count: number }
  /** The user of a session proved again who they are. */
  'session.confirmed': { user_id: number; by: 'password' | 'code' | 'passkey' }
  /**
   * Failed attempts for one account, or for unknown ones, from one network in one minute make one entry with a count. The login is not
   * kept: it may be a password.
   */
  'sign_in.failed': { user_id: number | null; method: SignInMethod }
  /** The account accepts no passwords, or no codes of a second factor, for a while. */
  'sign_in.banned': { user_id: number; minutes: number; of: 'passwords' | 'codes' }
  /** First use in an hour of a token with sudo. */
  'sudo.started': { user_id: number }
  'sudo.wrote': { user_id: number; route: string; by: 'token' | 'session' }
  'impersonation.started': { user_id: number; token_id: number }
  /** In the browser. */
  'impersonation.began': { user_id: number }
  'impersonation.ended': { user_id: number }

  /** The session of an administrator entered admin mode, or left it before its end. */
  'admin_mode.entered': { user_id: number }
  'admin_mode.left': { user_id: number }

  // Accounts
  'user.updated': Changed
  'user.password_changed': { user_id: number }
  /** A link to set a new password was sent to an address of the account. */
  'password_reset.requested': { user_id: number }
  'password_reset.used': { user_id: number }
  /** A second factor was added; `by`: an app that makes codes, a security key or a passkey. */
  'second_factor.added': OwnedByUser & { by: SecondFactorKind }
  'second_factor.removed': OwnedByUser & { by: SecondFactorKind }
  'two_factor.enabled': { user_id: number }
  /** All second factors are gone, by their owner or an administrator. */
  'two_factor.disabled': { user_id: number }
  'feed_token.reset': { user_id: number }
  'incoming_email_token.reset': { user_id: number }
  'recovery_codes.made': { user_id: number }
  'recovery_code.used': { user_id: number; left: number }
  /** The account takes passwords again, by a link or by an administrator. */
  'user.unlocked': { user_id: number }
  /** The archive of what is known of the user was asked for. */
  'user.exported': { user_id: number }
  'user.state_changed': { user_id: number; from: string; to: string }
  'identity.set': { user_id: number; provider: string }
  'identity.removed': { user_id: number; provider: string }
  /** The directory of the identity no longer has the person, or has them again. */
  'identity.left': { user_id: number; provider: string }
  'identity.returned': { user_id: number; provider: string }
  'email.added': OwnedByUser
  'email.confirmed': OwnedByUser
  'email.removed': OwnedByUser

  // Credentials
  /** `place`: the token belongs to the event's project or group and not to its user. */
  'token.created': OwnedByUser & { sort: TokenSort; scopes: readonly string[]; expires_at: string | null }
  'token.revoked': OwnedByUser & { sort: TokenSort }
  'token.rotated': OwnedByUser & { sort: TokenSort }
  'deploy_token.created': Named & { scopes: readonly string[] }
  'deploy_token.revoked': Named
  'cluster_agent.created': Named
  'cluster_agent.deleted': Named
  'project_alias.created': Named
  'project_alias.deleted': Named
  'key.added': OwnedByUser & { fingerprint: string }
  'key.removed': OwnedByUser & { fingerprint: string }
  'gpg_key.added': OwnedByUser
  'gpg_key.removed': OwnedByUser
  'deploy_key.added': Named & { fingerprint: string; can_push: boolean }
  'deploy_key.updated': Changed
  'deploy_key.removed': Named
  'trigger.created': Named
  'trigger.updated': Changed
  'trigger.deleted': Named
  'saml_provider.changed': Named & { details: { custom_message: string } }
  'scim_token.changed': Named & { details: { custom_message: string } }
  'scim_user.changed': OwnedByUser & { group_path: string; details: AuditDetails }
  /** `name`: the id of the new key. */
  'signing_key.rotated': Named
  'application.created': Named & { scopes: readonly string[] }
  'application.updated': Changed
  'application.deleted': Named
  'application.secret_renewed': Named
  'oauth_grant.given': OwnedByUser & { scopes: readonly string[] }
  'oauth_grant.revoked': OwnedByUser
  /** A code or refresh token was used a second time, which revokes its grant. */
  'oauth_grant.reused': OwnedByUser
  /** Revoked by its holder (RFC 7009); null for the token of an application that acts for itself. */
  'oauth_token.revoked': Named & { user_id: number | null }

  // Runners
  'runner.registered': Named
  'runner.updated': Changed
  'runner.removed': Named
  'runner.enabled': Named
  'runner.disabled': Named
  'runner.token_reset': Named
  'registration_token.reset': Readonly<Record<never, never>>

  // Protection and rules
  'protected_branch.created': Protection
  'protected_branch.updated': Changed
  'protected_branch.deleted': Named
  'protected_tag.created': Protection
  'protected_tag.deleted': Named
  'protected_environment.created': Protection
  'protected_environment.updated': Changed
  'protected_environment.deleted': Named
  'push_rule.created': Named
  'push_rule.updated': Changed
  'push_rule.deleted': Named
  'approval_settings.updated': { changes: ChangeSet }
  'approval_rule.created': Named & { approvals_required: number }
  'approval_rule.updated': Changed
  'approval_rule.deleted': Named
  'package_protection_rule.created': Named
  'package_protection_rule.updated': Changed
  'package_protection_rule.deleted': Named
  'container_protection_rule.created': Named
  'container_protection_rule.updated': Changed
  'container_protection_rule.deleted': Named
  'container_tag_protection_rule.created': Named
  'container_tag_protection_rule.updated': Changed
  'container_tag_protection_rule.deleted': Named
  'freeze_period.created': Named
  'freeze_period.updated': Changed
  'freeze_period.deleted': Named
  'feature_flag.created': Named
  'feature_flag.updated': Changed
  'feature_flag.deleted': Named
  'flag_user_list.created': Named
  'flag_user_list.updated': Changed
  'flag_user_list.deleted': Named
  'flag_client.token_reset': Readonly<Record<never, never>>

  // Groups and projects
  'group.updated': Changed
  'group.transferred': { from: string; to: string }
  /** A project or group was added to, or removed from, a list of the job token scope of the project. */
  'job_token_scope.added': Named & { type: 'Project' | 'Group'; direction: 'inbound' | 'outbound' }
  'job_token_scope.removed': Named & { type: 'Project' | 'Group'; direction: 'inbound' | 'outbound' }
  'share.created': Named & { access_level: number }
  'share.deleted': Pick<Named, 'id'>
  'invitation.created': Named & { access_level: number }
  'invitation.updated': Changed
  'invitation.deleted': Named
  'upload.removed': Named
  'fork_relation.created': Named
  'fork_relation.deleted': Pick<Named, 'id'>
  'pipeline_schedule.created': Named
  'pipeline_schedule.updated': Changed
  'pipeline_schedule.deleted': Named
  'pipeline.deleted': { pipeline_id: number }

  // Hooks and variables
  'hook.created': Named
  'hook.updated': Changed
  'hook.deleted': Named
  /** Its archive was asked for. */
  'project.exported': Named
  'group.exported': Named
  'project.export_downloaded': Named
  'group.export_downloaded': Named
  /** The import of its archive has ended; `missing` counts what of the archive could not come. */
  'group.imported': Named & { missing: number }
  'group.import_failed': Named & { reason: string }
  'remote_mirror.created': Named
  'remote_mirror.updated': Changed
  'remote_mirror.deleted': Named
  /** An archive is served as the site of the project; the name is that of its job. */
  'site.published': Named
  'site.removed': Named
  'site_domain.created': Named
  'site_domain.updated': Changed
  'site_domain.verified': Named
  'site_domain.deleted': Named
  'integration.created': Named
  'integration.updated': Changed
  'integration.deleted': Named
  'ldap_link.created': Named
  'ldap_link.deleted': Named
  'cluster.created': Named
  'cluster.updated': Changed
  'cluster.deleted': Named
  'debian_distribution.created': Named
  'debian_distribution.updated': Changed
  'debian_distribution.deleted': Named
  'variable.created': Named & { scope: string; protected: boolean; masked: boolean }
  'variable.updated': Changed
  'variable.deleted': Named & { scope: string }

  // The instance
  'application_settings.updated': { changes: ChangeSet }
  'appearance.updated': { changes: ChangeSet }
  'plan_limits.updated': { changes: ChangeSet }
  'feature.changed': { name: string; value: string }
  'feature.removed': { name: string }
  'background_job.retried': Named
  'background_job.deleted': Named
  'broadcast_message.created': Named
  'broadcast_message.updated': Changed
  'broadcast_message.deleted': Named
}

/** Sorts of tokens that act as a user. */
export type TokenSort = 'personal' | 'impersonation' | 'project' | 'group'

/** The details in the forms of the public API: as words, as a change from one value to another, or as something added or removed. */
export type AuditDetails =
  | { readonly custom_message: string }
  | { readonly change: string; readonly from: string | null; readonly to: string | null }
  | { readonly add: string; readonly as?: string }
  | { readonly remove: string }
  | { readonly with: string }
  | { readonly failed_login: string }
