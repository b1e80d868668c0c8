/** The audit entries of events that only the audit log keeps. */
import { networkOf } from '../../networks.ts'
import type { NewEvent } from '../catalog.ts'
import { type AuditEntity, type AuditEntry, type AuditRule, addedAs, entriesOf, grantsOf, INSTANCE_ID, roleName } from './entry.ts'
import type { AuditedEvents, Changed, Named, OwnedByUser, Protection } from './kinds.ts'

type Kind = keyof AuditedEvents
type Kinds<Payload> = { [K in Kind]: AuditedEvents[K] extends Payload ? K : never }[Kind]

/** Something was added to, or removed from, the project, group or instance of the event. */
const added =
  (type: string, add: string) =>
  ({ payload: { id, name } }: NewEvent<Kinds<Named>>): AuditEntry => ({ target: { type, id, name }, details: { add } })

/** A protection was added, with those whom it lets act. */
const protection =
  (type: string, add: string) =>
  ({ payload }: NewEvent<Kinds<Protection>>): AuditEntry => ({
    target: { type, id: payload.id, name: payload.name },
    details: addedAs(add, grantsOf(payload)),
  })

const removed =
  (type: string, remove: string) =>
  ({ payload: { id, name } }: NewEvent<Kinds<Named>>): AuditEntry => ({ target: { type, id, name }, details: { remove } })

/** The same as words. */
const said =
  (type: string, custom_message: string) =>
  ({ payload: { id, name } }: NewEvent<Kinds<Named>>): AuditEntry => ({ target: { type, id, name }, details: { custom_message } })

/** Fields of a resource in the place of the event have changed. */
const changed =
  (type: string) =>
  ({ payload: { id, name, changes } }: NewEvent<Kinds<Changed>>): AuditEntry[] =>
    entriesOf(changes, { target: { type, id, name } })

/** The identity provider of a group was set up, changed or removed. */
const ofProvider = ({ payload: { id, name, details } }: NewEvent<'saml_provider.changed' | 'scim_token.changed'>): AuditEntry => ({
  entity: { type: 'Group', id, path: name },
  target: { type: 'Group', id, name },
  details,
})

const user = (id: number): AuditEntity => ({ type: 'User', id })

/** The entity of a user's resource: the place of the event if there is one, because a bot is no person. */
const ownerOf = ({ payload, projectId, namespaceId }: NewEvent<Kinds<OwnedByUser>>): { entity?: AuditEntity } =>
  projectId === undefined && namespaceId === undefined ? { entity: user(payload.user_id) } : {}

/** A resource of a user was added or removed. */
const owned =
  (type: string, what: 'add' | 'remove', noun: string) =>
  (event: NewEvent<Kinds<OwnedByUser>>): AuditEntry => ({
    ...ownerOf(event),
    target: { type, id: event.payload.id, name: event.payload.name },
    details: what === 'add' ? { add: noun } : { remove: noun },
  })

/** A token of a user or place was created, revoked or rotated. */
const token =
  (verb: string) =>
  (event: NewEvent<'token.created' | 'token.revoked' | 'token.rotated'>): AuditEntry => {
    const { id, name, sort } = event.payload
    const scopes = 'scopes' in event.payload ? ` with scopes ${event.payload.scopes.join(', ')}` : ''
    const sorted = { personal: 'Personal', impersonation: 'Impersonation', project: 'Project', group: 'Group' }[sort]
    return {
      ...ownerOf(event),
      target: { type: 'PersonalAccessToken', id, name },
      details: { custom_message: `${sorted} access token ${verb}${scopes}` },
    }
  }

/** A second factor of a user was added or removed. */
const factor =
  (verb: string) =>
  ({ payload: { id, name, user_id, by } }: NewEvent<'second_factor.added' | 'second_factor.removed'>): AuditEntry => ({
    entity: user(user_id),
    target: { type: 'SecondFactor', id, name },
    details: { custom_message: `${{ app: 'App for codes', security_key: 'Security key', passkey: 'Passkey' }[by]} ${verb}` },
  })

/** The window in which repetitions make one entry. */
const minuteOf = (now: Date): string => now.toISOString().slice(0, 16)
const hourOf = (now: Date): string => now.toISOString().slice(0, 13)

export const securityRules = {
  'session.started': ({ payload: { user_id, method } }) => ({ entity: user(user_id), details: { with: method } }),
  'session.ended': ({ payload: { user_id, count } }) => ({
    entity: user(user_id),
    details: { custom_message: count === 1 ? 'Signed out' : `${count} sessions ended` },
  }),
  'session.confirmed': ({ payload: { user_id, by } }) => ({
    entity: user(user_id),
    details: { custom_message: by === 'password' ? 'Confirmed the password' : `Confirmed by a ${by}` },
  }),
  'sign_in.failed': ({ payload: { user_id, method } }, { now, request }) => ({
    entity: user_id === null ? instance.entity : user(user_id),
    details: { failed_login: method },
    authorName: 'Unauthenticated',
    countedAs: `sign_in.failed ${user_id} ${method} ${networkOf(request.ip)} ${minuteOf(now)}`,
  }),
  'sign_in.banned': ({ payload: { user_id, minutes, of } }) => ({
    entity: user(user_id),
    details: { custom_message: `No ${of} taken for ${minutes} minutes after too many wrong ones` },
    authorName: 'Unauthenticated',
  }),
  'sudo.started': ({ payload: { user_id } }, { actor, now, request }) => ({
    entity: user(user_id),
    details: { custom_message: 'Acted as this user by sudo' },
    countedAs: `sudo.started ${actor.sudoBy?.id} ${user_id} ${networkOf(request.ip)} ${hourOf(now)}`,
  }),
  'sudo.wrote': ({ payload: { user_id, route, by } }) => ({
    entity: user(user_id),
    details: { custom_message: by === 'session' ? `By impersonation: ${route}` : `By sudo: ${route}` },
  }),
  'impersonation.began': ({ payload: { user_id } }) => ({ entity: user(user_id), details: { custom_message: 'Started Impersonation' } }),
  'impersonation.ended': ({ payload: { user_id } }) => ({ entity: user(user_id), details: { custom_message: 'Stopped Impersonation' } }),
  'admin_mode.entered': ({ payload: { user_id } }) => ({ entity: user(user_id), details: { custom_message: 'Entered admin mode' } }),
  'admin_mode.left': ({ payload: { user_id } }) => ({ entity: user(user_id), details: { custom_message: 'Left admin mode' } }),
  'impersonation.started': ({ payload: { user_id, token_id } }, { now, request }) => ({
    entity: user(user_id),
    target: { type: 'PersonalAccessToken', id: token_id, name: String(token_id) },
    details: { custom_message: 'Impersonation token used' },
    countedAs: `impersonation.started ${token_id} ${networkOf(request.ip)} ${hourOf(now)}`,
  }),

  'user.updated': ({ payload: { id, changes } }) => entriesOf(changes, { entity: user(id) }),
  'user.password_changed': ({ payload }) => ({ entity: user(payload.user_id), details: { custom_message: 'Password changed' } }),
  'password_reset.requested': ({ payload }) => ({
    entity: user(payload.user_id),
    details: { custom_message: 'Link to set a new password sent' },
    authorName: 'Unauthenticated',
  }),
  'password_reset.used': ({ payload }) => ({
    entity: user(payload.user_id),
    details: { custom_message: 'Password set by a link that was sent by mail' },
  }),
  'second_factor.added': factor('added'),
  'second_factor.removed': factor('removed'),
  'two_factor.enabled': ({ payload }) => ({
    entity: user(payload.user_id),
    details: { custom_message: 'Two-factor authentication turned on' },
  }),
  'two_factor.disabled': ({ payload }) => ({
    entity: user(payload.user_id),
    details: { custom_message: 'Two-factor authentication turned off' },
  }),
  'incoming_email_token.reset': ({ payload }) => ({
    entity: user(payload.user_id),
    details: { custom_message: 'Incoming email token replaced' },
  }),
  'feed_token.reset': ({ payload }) => ({ entity: user(payload.user_id), details: { custom_message: 'Feed token replaced' } }),
  'recovery_codes.made': ({ payload }) => ({ entity: user(payload.user_id), details: { custom_message: 'New recovery codes made' } }),
  'recovery_code.used': ({ payload: { user_id, left } }) => ({
    entity: user(user_id),
    details: { custom_message: `Recovery code used, ${left} left` },
  }),
  'user.unlocked': ({ payload }) => ({ entity: user(payload.user_id), details: { custom_message: 'Account unlocked' } }),
  'user.exported': ({ payload }) => ({ entity: user(payload.user_id), details: { custom_message: 'Export of the own data requested' } }),
  'user.state_changed': ({ payload: { user_id, from, to } }) => ({ entity: user(user_id), details: { change: 'state', from, to } }),
  'identity.set': ({ payload: { user_id, provider } }) => ({
    entity: user(user_id),
    target: { type: 'Identity', id: user_id, name: provider },
    details: { add: 'identity' },
  }),
  'identity.removed': ({ payload: { user_id, provider } }) => ({
    entity: user(user_id),
    target: { type: 'Identity', id: user_id, name: provider },
    details: { remove: 'identity' },
  }),
  'identity.left': ({ payload: { user_id, provider } }) => ({
    entity: user(user_id),
    target: { type: 'Identity', id: user_id, name: provider },
    details: { custom_message: 'The directory no longer has the person' },
  }),
  'identity.returned': ({ payload: { user_id, provider } }) => ({
    entity: user(user_id),
    target: { type: 'Identity', id: user_id, name: provider },
    details: { custom_message: 'The directory has the person again' },
  }),
  'email.added': owned('Email', 'add', 'email'),
  'email.confirmed': ({ payload: { id, name, user_id } }) => ({
    entity: user(user_id),
    target: { type: 'Email', id, name },
    details: { custom_message: 'Email address confirmed' },
  }),
  'email.removed': owned('Email', 'remove', 'email'),

  'token.created': token('created'),
  'token.revoked': token('revoked'),
  'token.rotated': token('rotated'),
  'deploy_token.created': event => ({
    ...said('DeployToken', `Deploy token created with scopes ${event.payload.scopes.join(', ')}`)(event),
  }),
  'deploy_token.revoked': removed('DeployToken', 'deploy_token'),
  'cluster_agent.created': added('Clusters::Agent', 'cluster_agent'),
  'cluster_agent.deleted': removed('Clusters::Agent', 'cluster_agent'),
  'project_alias.created': added('ProjectAlias', 'project_alias'),
  'project_alias.deleted': removed('ProjectAlias', 'project_alias'),
  'key.added': owned('Key', 'add', 'ssh_key'),
  'key.removed': owned('Key', 'remove', 'ssh_key'),
  'gpg_key.added': owned('GpgKey', 'add', 'gpg_key'),
  'gpg_key.removed': owned('GpgKey', 'remove', 'gpg_key'),
  'deploy_key.added': event => said('DeployKey', `Deploy key added${event.payload.can_push ? ' that may push' : ''}`)(event),
  'deploy_key.updated': changed('DeployKey'),
  'deploy_key.removed': removed('DeployKey', 'deploy_key'),
  'trigger.created': added('Trigger', 'trigger'),
  'trigger.updated': changed('Trigger'),
  'trigger.deleted': removed('Trigger', 'trigger'),
  'saml_provider.changed': ofProvider,
  'scim_token.changed': ofProvider,
  'scim_user.changed': ({ payload: { user_id, name, id, group_path, details } }) => ({
    authorName: `SCIM of ${group_path}`,
    entity: { type: 'Group', id, path: group_path },
    target: { type: 'User', id: user_id, name },
    details,
  }),
  'signing_key.rotated': said('SigningKey', 'Key that signs id tokens replaced'),
  'application.created': event =>
    said('OauthApplication', `OAuth application created with scopes ${event.payload.scopes.join(', ')}`)(event),
  'application.updated': changed('OauthApplication'),
  'application.deleted': removed('OauthApplication', 'oauth_application'),
  'application.secret_renewed': said('OauthApplication', 'Secret of the OAuth application renewed'),
  'oauth_grant.given': event => ({
    entity: user(event.payload.user_id),
    target: { type: 'OauthApplication', id: event.payload.id, name: event.payload.name },
    details: { custom_message: `OAuth access given with scopes ${event.payload.scopes.join(', ')}` },
  }),
  'oauth_grant.revoked': owned('OauthApplication', 'remove', 'oauth_grant'),
  'oauth_grant.reused': ({ payload: { id, name, user_id } }) => ({
    entity: user(user_id),
    target: { type: 'OauthApplication', id, name },
    details: { custom_message: 'OAuth access revoked: a code or refresh token of it was used twice' },
    authorName: `OAuth application ${name}`,
  }),
  'oauth_token.revoked': ({ payload: { id, name, user_id } }) => ({
    entity: user_id === null ? instance.entity : user(user_id),
    target: { type: 'OauthApplication', id, name },
    details: { custom_message: 'OAuth token revoked by its holder' },
    // The application makes the request, whatever user granted it the token.
    authorName: id === 0 ? 'Holder of the token' : `OAuth application ${name}`,
  }),

  'runner.registered': said('Runner', 'Runner registered'),
  'runner.updated': changed('Runner'),
  'runner.removed': removed('Runner', 'runner'),
  'runner.enabled': said('Runner', 'Runner enabled for the project'),
  'runner.disabled': said('Runner', 'Runner disabled for the project'),
  'runner.token_reset': said('Runner', 'Authentication token of the runner reset'),
  'registration_token.reset': () => ({ details: { custom_message: 'Registration token of runners reset' } }),

  'protected_branch.created': protection('ProtectedBranch', 'protected_branch'),
  'protected_branch.updated': changed('ProtectedBranch'),
  'protected_branch.deleted': removed('ProtectedBranch', 'protected_branch'),
  'protected_tag.created': protection('ProtectedTag', 'protected_tag'),
  'protected_tag.deleted': removed('ProtectedTag', 'protected_tag'),
  'protected_environment.created': protection('ProtectedEnvironment', 'protected_environment'),
  'protected_environment.updated': changed('ProtectedEnvironment'),
  'protected_environment.deleted': removed('ProtectedEnvironment', 'protected_environment'),
  'approval_settings.updated': ({ payload: { changes } }) => entriesOf(changes),
  'approval_rule.created': event =>
    said('ApprovalRule', `Approval rule added that needs ${event.payload.approvals_required} approvals`)(event),
  'approval_rule.updated': changed('ApprovalRule'),
  'approval_rule.deleted': removed('ApprovalRule', 'approval_rule'),
  'package_protection_rule.created': added('PackageProtectionRule', 'package_protection_rule'),
  'package_protection_rule.updated': changed('PackageProtectionRule'),
  'package_protection_rule.deleted': removed('PackageProtectionRule', 'package_protection_rule'),
  'container_protection_rule.created': added('ContainerProtectionRule', 'container_protection_rule'),
  'container_protection_rule.updated': changed('ContainerProtectionRule'),
  'container_protection_rule.deleted': removed('ContainerProtectionRule', 'container_protection_rule'),
  'container_tag_protection_rule.created': added('ContainerTagProtectionRule', 'container_tag_protection_rule'),
  'container_tag_protection_rule.updated': changed('ContainerTagProtectionRule'),
  'container_tag_protection_rule.deleted': removed('ContainerTagProtectionRule', 'container_tag_protection_rule'),
  'freeze_period.created': added('FreezePeriod', 'freeze_period'),
  'freeze_period.updated': changed('FreezePeriod'),
  'freeze_period.deleted': removed('FreezePeriod', 'freeze_period'),
  'push_rule.created': added('PushRule', 'push_rule'),
  'push_rule.updated': changed('PushRule'),
  'push_rule.deleted': removed('PushRule', 'push_rule'),
  'feature_flag.created': added('FeatureFlag', 'feature_flag'),
  'feature_flag.updated': changed('FeatureFlag'),
  'feature_flag.deleted': removed('FeatureFlag', 'feature_flag'),
  'flag_user_list.created': added('FeatureFlagUserList', 'feature_flag_user_list'),
  'flag_user_list.updated': changed('FeatureFlagUserList'),
  'flag_user_list.deleted': removed('FeatureFlagUserList', 'feature_flag_user_list'),
  'flag_client.token_reset': () => ({ details: { custom_message: 'Instance ID of feature flags replaced' } }),

  'group.updated': ({ payload: { id, changes } }) => entriesOf(changes, { entity: { type: 'Group', id } }),
  'group.transferred': ({ payload: { from, to } }) => ({ details: { change: 'namespace', from, to } }),
  'job_token_scope.added': ({ payload: { type, id, name, direction } }) => ({
    target: { type, id, name },
    details: { custom_message: `Added to the ${direction} allowlist of job tokens` },
  }),
  'job_token_scope.removed': ({ payload: { type, id, name, direction } }) => ({
    target: { type, id, name },
    details: { custom_message: `Removed from the ${direction} allowlist of job tokens` },
  }),
  'share.created': event => ({ ...share(event.payload), details: { add: 'group_access', as: roleName(event.payload.access_level) } }),
  'share.deleted': event => ({ ...share(event.payload), details: { remove: 'group_access' } }),
  'invitation.created': ({ payload: { id, name, access_level } }) => ({
    target: { type: 'Invitation', id, name },
    details: { add: 'invitation', as: roleName(access_level) },
  }),
  'invitation.updated': changed('Invitation'),
  'invitation.deleted': removed('Invitation', 'invitation'),
  'upload.removed': removed('Upload', 'upload'),
  'fork_relation.created': added('Project', 'fork_relation'),
  'fork_relation.deleted': ({ payload: { id } }) => ({ target: { type: 'Project', id }, details: { remove: 'fork_relation' } }),
  'pipeline_schedule.created': added('PipelineSchedule', 'pipeline_schedule'),
  'pipeline_schedule.updated': changed('PipelineSchedule'),
  'pipeline_schedule.deleted': removed('PipelineSchedule', 'pipeline_schedule'),
  'pipeline.deleted': ({ payload: { pipeline_id } }) => ({
    target: { type: 'Pipeline', id: pipeline_id, name: `#${pipeline_id}` },
    details: { remove: 'pipeline' },
  }),

  'hook.created': added('Hook', 'hook'),
  'hook.updated': changed('Hook'),
  'hook.deleted': removed('Hook', 'hook'),
  'project.exported': said('Project', 'Export requested'),
  'group.exported': said('Group', 'Export requested'),
  'project.export_downloaded': said('Project', 'Export file download started'),
  'group.export_downloaded': said('Group', 'Export file download started'),
  'group.imported': event =>
    said('Group', event.payload.missing === 0 ? 'Imported' : `Imported; parts that could not come: ${event.payload.missing}`)(event),
  'group.import_failed': event => said('Group', `Import failed: ${event.payload.reason}`)(event),
  'remote_mirror.created': added('RemoteMirror', 'remote_mirror'),
  'remote_mirror.updated': changed('RemoteMirror'),
  'remote_mirror.deleted': removed('RemoteMirror', 'remote_mirror'),
  'site.published': said('Site', 'Site published'),
  'site.removed': removed('Site', 'site'),
  'site_domain.created': added('SiteDomain', 'site_domain'),
  'site_domain.updated': changed('SiteDomain'),
  'site_domain.verified': said('SiteDomain', 'Domain verified'),
  'site_domain.deleted': removed('SiteDomain', 'site_domain'),
  'integration.created': added('Integration', 'integration'),
  'integration.updated': changed('Integration'),
  'integration.deleted': removed('Integration', 'integration'),
  'ldap_link.created': added('LdapGroupLink', 'ldap_group_link'),
  'ldap_link.deleted': removed('LdapGroupLink', 'ldap_group_link'),
  'cluster.created': added('Cluster', 'cluster'),
  'cluster.updated': changed('Cluster'),
  'cluster.deleted': removed('Cluster', 'cluster'),
  'debian_distribution.created': added('DebianDistribution', 'debian_distribution'),
  'debian_distribution.updated': changed('DebianDistribution'),
  'debian_distribution.deleted': removed('DebianDistribution', 'debian_distribution'),
  'variable.created': event => {
    const { scope, protected: isProtected, masked } = event.payload
    const words = [scope === '*' ? '' : `scope ${scope}`, isProtected ? 'protected' : '', masked ? 'masked' : ''].filter(Boolean)
    return said('Variable', `Variable added${words.length > 0 ? ` (${words.join(', ')})` : ''}`)(event)
  },
  'variable.updated': changed('Variable'),
  'variable.deleted': removed('Variable', 'variable'),

  'application_settings.updated': ({ payload: { changes } }) => entriesOf(changes, instance),
  'appearance.updated': ({ payload: { changes } }) => entriesOf(changes, instance),
  'plan_limits.updated': ({ payload: { changes } }) => entriesOf(changes, instance),
  'feature.changed': ({ payload: { name, value } }) => ({ ...feature(name), details: { change: name, from: null, to: value } }),
  'feature.removed': ({ payload: { name } }) => ({ ...feature(name), details: { remove: 'feature' } }),
  'background_job.retried': said('BackgroundJob', 'Background job that failed tried again'),
  'background_job.deleted': removed('BackgroundJob', 'background_job'),
  'broadcast_message.created': added('BroadcastMessage', 'broadcast_message'),
  'broadcast_message.updated': changed('BroadcastMessage'),
  'broadcast_message.deleted': removed('BroadcastMessage', 'broadcast_message'),
} as const satisfies { readonly [K in Kind]: AuditRule<K> }

const instance: { readonly entity: AuditEntity } = { entity: { type: 'Instance', id: INSTANCE_ID } }

const feature = (name: string) => ({ ...instance, target: { type: 'Feature', id: INSTANCE_ID, name } })

const share = ({ id, name }: { readonly id: number; readonly name?: string }) => ({ target: { type: 'Group', id, name } })
