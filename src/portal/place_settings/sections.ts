/** The sections of the settings of projects and groups, in the order of their side navigation. One line for each page. */
import type { Ability } from '../../platform/access/abilities.ts'
import type { Tier } from '../../platform/kernel/declaration/types.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'

/** The heading that a section stands below. */
export type SectionGroup = 'General' | 'Access' | 'Repository' | 'CI/CD' | 'Connections'

/** The headings in their order. */
export const sectionGroups: readonly SectionGroup[] = ['General', 'Access', 'Repository', 'CI/CD', 'Connections']

export interface SettingsSection {
  /** What its pages call it by. */
  readonly key: string
  readonly group: SectionGroup
  readonly label: string
  readonly icon: IconName
  /** After the path of the project or group: `/-/hooks`. */
  readonly path: `/-/${string}`
  /** What the caller needs to see it. */
  readonly can: Ability
  /** The lowest tier that has it. */
  readonly tier?: Exclude<Tier, 'free'>
}

export const projectSections: readonly SettingsSection[] = [
  { key: 'general', group: 'General', label: 'General', icon: 'gear', path: '/-/edit', can: 'admin_project' },
  {
    key: 'merge_requests',
    group: 'General',
    label: 'Merge requests',
    icon: 'git-pull-request',
    path: '/-/settings/merge_requests',
    can: 'admin_project',
  },
  { key: 'service_desk', group: 'General', label: 'Service desk', icon: 'mail', path: '/-/settings/service_desk', can: 'admin_project' },
  { key: 'badges', group: 'General', label: 'Badges', icon: 'shield', path: '/-/settings/badges', can: 'admin_project' },
  { key: 'export', group: 'General', label: 'Export', icon: 'upload', path: '/-/settings/export', can: 'admin_project' },
  { key: 'members', group: 'Access', label: 'Members', icon: 'people', path: '/-/project_members', can: 'admin_project_member' },
  {
    key: 'access_tokens',
    group: 'Access',
    label: 'Access tokens',
    icon: 'key',
    path: '/-/settings/access_tokens',
    can: 'manage_project_access_tokens',
  },
  {
    key: 'deploy_tokens',
    group: 'Access',
    label: 'Deploy tokens',
    icon: 'rocket',
    path: '/-/settings/deploy_tokens',
    can: 'admin_deploy_tokens',
  },
  { key: 'deploy_keys', group: 'Access', label: 'Deploy keys', icon: 'key', path: '/-/settings/deploy_keys', can: 'admin_deploy_keys' },
  {
    key: 'audit_events',
    group: 'Access',
    label: 'Audit log',
    icon: 'log',
    path: '/-/audit_events',
    can: 'read_project_audit_events',
    tier: 'premium',
  },
  { key: 'repository', group: 'Repository', label: 'Repository', icon: 'repo', path: '/-/settings/repository', can: 'admin_project' },
  {
    key: 'protected_branches',
    group: 'Repository',
    label: 'Protected branches',
    icon: 'shield-lock',
    path: '/-/settings/protected_branches',
    can: 'admin_protected_branches',
  },
  {
    key: 'protected_tags',
    group: 'Repository',
    label: 'Protected tags',
    icon: 'tag',
    path: '/-/settings/protected_tags',
    can: 'admin_protected_tags',
  },
  {
    key: 'protected_packages',
    group: 'Repository',
    label: 'Protected packages',
    icon: 'package',
    path: '/-/settings/protected_packages',
    can: 'admin_package_protection',
  },
  {
    key: 'protected_images',
    group: 'Repository',
    label: 'Protected images',
    icon: 'container',
    path: '/-/settings/protected_images',
    can: 'admin_container_protection',
  },
  {
    key: 'protected_image_tags',
    group: 'Repository',
    label: 'Protected image tags',
    icon: 'tag',
    path: '/-/settings/protected_image_tags',
    can: 'admin_container_protection',
  },
  {
    key: 'push_rules',
    group: 'Repository',
    label: 'Push rules',
    icon: 'law',
    path: '/-/settings/push_rules',
    can: 'admin_project',
    tier: 'premium',
  },
  { key: 'mirrors', group: 'Repository', label: 'Mirroring', icon: 'sync', path: '/-/settings/mirrors', can: 'read_mirrors' },
  { key: 'ci_cd', group: 'CI/CD', label: 'Pipelines and jobs', icon: 'workflow', path: '/-/settings/ci_cd', can: 'admin_project' },
  { key: 'pages', group: 'CI/CD', label: 'Pages', icon: 'globe', path: '/-/pages', can: 'read_pages' },
  { key: 'hooks', group: 'Connections', label: 'Webhooks', icon: 'link', path: '/-/hooks', can: 'admin_project' },
  {
    key: 'integrations',
    group: 'Connections',
    label: 'Integrations',
    icon: 'plug',
    path: '/-/settings/integrations',
    can: 'admin_project',
  },
  { key: 'runners', group: 'CI/CD', label: 'Runners', icon: 'server', path: '/-/runners', can: 'admin_project_runners' },
  { key: 'variables', group: 'CI/CD', label: 'Variables', icon: 'key', path: '/-/variables', can: 'admin_variables' },
  {
    key: 'protected_environments',
    group: 'CI/CD',
    label: 'Protected environments',
    icon: 'shield-lock',
    path: '/-/settings/protected_environments',
    can: 'admin_protected_environments',
    tier: 'premium',
  },
  {
    key: 'freeze_periods',
    group: 'CI/CD',
    label: 'Deploy freezes',
    icon: 'stopwatch',
    path: '/-/settings/freeze_periods',
    can: 'admin_freeze_period',
  },
  {
    key: 'resource_groups',
    group: 'CI/CD',
    label: 'Resource groups',
    icon: 'lock',
    path: '/-/settings/resource_groups',
    can: 'update_job',
  },
  { key: 'triggers', group: 'CI/CD', label: 'Triggers', icon: 'link-external', path: '/-/triggers', can: 'admin_triggers' },
]

export const groupSections: readonly SettingsSection[] = [
  { key: 'general', group: 'General', label: 'General', icon: 'gear', path: '/-/edit', can: 'admin_group' },
  { key: 'badges', group: 'General', label: 'Badges', icon: 'shield', path: '/-/settings/badges', can: 'admin_group' },
  { key: 'export', group: 'General', label: 'Export', icon: 'upload', path: '/-/settings/export', can: 'admin_group' },
  { key: 'members', group: 'Access', label: 'Members', icon: 'people', path: '/-/group_members', can: 'admin_group_member' },
  {
    key: 'access_tokens',
    group: 'Access',
    label: 'Access tokens',
    icon: 'key',
    path: '/-/settings/access_tokens',
    can: 'manage_group_access_tokens',
  },
  {
    key: 'deploy_tokens',
    group: 'Access',
    label: 'Deploy tokens',
    icon: 'rocket',
    path: '/-/settings/deploy_tokens',
    can: 'read_group_deploy_tokens',
  },
  { key: 'saml', group: 'Access', label: 'SAML', icon: 'organization', path: '/-/saml', can: 'admin_group_scim' },
  {
    key: 'ldap_links',
    group: 'Access',
    label: 'LDAP',
    icon: 'organization',
    path: '/-/settings/ldap',
    can: 'admin_group_ldap',
    tier: 'premium',
  },
  { key: 'scim', group: 'Access', label: 'SCIM', icon: 'organization', path: '/-/settings/scim', can: 'admin_group_scim' },
  {
    key: 'audit_events',
    group: 'Access',
    label: 'Audit log',
    icon: 'log',
    path: '/-/audit_events',
    can: 'read_group_audit_events',
    tier: 'premium',
  },
  { key: 'repository', group: 'Repository', label: 'Repository', icon: 'repo', path: '/-/settings/repository', can: 'admin_group' },
  {
    key: 'push_rules',
    group: 'Repository',
    label: 'Push rules',
    icon: 'law',
    path: '/-/settings/push_rules',
    can: 'admin_group',
    tier: 'premium',
  },
  { key: 'ci_cd', group: 'CI/CD', label: 'CI/CD', icon: 'workflow', path: '/-/settings/ci_cd', can: 'admin_group' },
  {
    key: 'dependency_proxy',
    group: 'CI/CD',
    label: 'Dependency proxy',
    icon: 'container',
    path: '/-/settings/dependency_proxy',
    can: 'admin_group',
  },
  { key: 'hooks', group: 'Connections', label: 'Webhooks', icon: 'link', path: '/-/hooks', can: 'admin_group', tier: 'premium' },
  {
    key: 'integrations',
    group: 'Connections',
    label: 'Integrations',
    icon: 'plug',
    path: '/-/settings/integrations',
    can: 'admin_group',
  },
  { key: 'runners', group: 'CI/CD', label: 'Runners', icon: 'server', path: '/-/runners', can: 'admin_group_runners' },
  { key: 'variables', group: 'CI/CD', label: 'Variables', icon: 'key', path: '/-/variables', can: 'admin_group_variables' },
]
