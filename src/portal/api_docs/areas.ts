/** The areas that the chapters of the API belong to, in the order of the navigation. A test finds a chapter that stands in none. */
import type { IconName } from '../../platform/pages/assets/icons.ts'

export interface Area {
  readonly title: string
  readonly icon: IconName
  /** Names of resources, as src/server/endpoints.ts has them. */
  readonly chapters: readonly string[]
}

export const areas: readonly Area[] = [
  {
    title: 'People and sign-in',
    icon: 'people',
    chapters: [
      'users',
      'user_status',
      'emails',
      'keys',
      'gpg_keys',
      'avatars',
      'tokens',
      'sessions',
      'oauth',
      'oauth_grants',
      'applications',
      'providers',
      'two_factor',
      'notification_settings',
    ],
  },
  {
    title: 'Groups and projects',
    icon: 'organization',
    chapters: [
      'groups',
      'group_projects',
      'projects',
      'namespaces',
      'members',
      'invitations',
      'access_requests',
      'shares',
      'forks',
      'stars',
      'topics',
      'badges',
      'custom_attributes',
      'project_aliases',
      'fetches',
      'languages',
      'imports',
      'project_archives',
      'bulk_imports',
      'group_archives',
      'github_imports',
      'uploads',
      'wikis',
      'snippets',
    ],
  },
  {
    title: 'Code',
    icon: 'code',
    chapters: [
      'repository',
      'branches',
      'tags',
      'commits',
      'files',
      'protected_branches',
      'protected_tags',
      'push_rules',
      'service_desk',
      'mirrors',
      'deploy_keys',
      'deploy_tokens',
      'git',
      'lfs',
      'templates',
    ],
  },
  {
    title: 'Planning',
    icon: 'issue-opened',
    chapters: [
      'issues',
      'issue_links',
      'labels',
      'milestones',
      'iterations',
      'epics',
      'boards',
      'time_tracking',
      'resource_events',
      'metric_images',
    ],
  },
  {
    title: 'Review and talk',
    icon: 'git-merge',
    chapters: [
      'merge_requests',
      'approvals',
      'draft_notes',
      'suggestions',
      'notes',
      'discussions',
      'award_emoji',
      'todos',
      'markdown',
      'graphql',
    ],
  },
  {
    title: 'CI/CD',
    icon: 'rocket',
    chapters: [
      'pipelines',
      'jobs',
      'artifacts',
      'test_reports',
      'pipeline_schedules',
      'triggers',
      'variables',
      'lint',
      'runners',
      'commit_statuses',
      'resource_groups',
      'job_token_scope',
      'cluster_agents',
      'clusters',
    ],
  },
  {
    title: 'Delivery',
    icon: 'tag',
    chapters: [
      'environments',
      'deployments',
      'protected_environments',
      'freeze_periods',
      'feature_flags',
      'pages',
      'releases',
      'packages',
      'terraform_states',
      'container_registry',
      'protection_rules',
    ],
  },
  { title: 'Search and feeds', icon: 'search', chapters: ['search', 'events', 'atom'] },
  {
    title: 'Connections',
    icon: 'link',
    chapters: ['hooks', 'integrations', 'group_saml', 'scim', 'scim_tokens', 'ldap_group_links', 'incoming_mail'],
  },
  {
    title: 'The instance',
    icon: 'server',
    chapters: ['application_settings', 'appearance', 'features', 'broadcast_messages', 'plan_limits', 'audit_events', 'instance', 'system'],
  },
]

/** Words that are not written as the name of the resource has them. */
const words: Readonly<Record<string, string>> = {
  scim: 'SCIM',
  ldap: 'LDAP',
  saml: 'SAML',
  oauth: 'OAuth',
  lfs: 'LFS',
  gpg: 'GPG',
  lint: 'CI lint',
}

/** The name of a chapter for people: `merge_requests` as "Merge requests". */
export function titleOfChapter(chapter: string): string {
  if (chapter === 'keys') return 'SSH keys'
  const title = chapter
    .split('_')
    .map(word => words[word] ?? word)
    .join(' ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}

/** Words by which people look for a chapter, where neither its name nor its endpoints have them. */
export const alsoCalled: Readonly<Record<string, string>> = {
  hooks: 'webhooks',
  award_emoji: 'reactions',
}
