/** The administration as the place of a page: its areas beside the page, and the settings of the instance as a tab of their own. */
import { type Tier, tierCovers } from '../../platform/kernel/declaration/types.ts'
import type { Place, Side } from '../../platform/pages/frame/place.ts'

/** The pages, below their headings, in their order. */
const areas: Side['groups'] = [
  {
    title: 'The instance',
    items: [
      { key: 'overview', label: 'Overview', icon: 'pulse', href: '/admin' },
      { key: 'messages', label: 'Messages', icon: 'megaphone', href: '/admin/broadcast_messages' },
      { key: 'features', label: 'Feature flags', icon: 'rows', href: '/admin/features' },
    ],
  },
  {
    title: 'People and places',
    items: [
      { key: 'users', label: 'People', icon: 'people', href: '/admin/users' },
      { key: 'groups', label: 'Groups', icon: 'organization', href: '/admin/groups' },
      { key: 'projects', label: 'Projects', icon: 'repo', href: '/admin/projects' },
      { key: 'push_rules', label: 'Push rules', icon: 'law', href: '/admin/push_rules', tier: 'premium' },
      { key: 'topics', label: 'Topics', icon: 'tag', href: '/admin/topics' },
      { key: 'storage', label: 'Storage', icon: 'archive', href: '/admin/storage' },
    ],
  },
  {
    title: 'CI/CD',
    items: [
      { key: 'runners', label: 'Runners', icon: 'server', href: '/admin/runners' },
      { key: 'jobs', label: 'Jobs', icon: 'checklist', href: '/admin/jobs' },
      { key: 'usage', label: 'Usage', icon: 'graph', href: '/admin/ci/usage' },
      { key: 'variables', label: 'Variables', icon: 'key', href: '/admin/ci/variables' },
    ],
  },
  {
    title: 'Access',
    items: [
      { key: 'applications', label: 'Applications', icon: 'link', href: '/admin/applications' },
      { key: 'deploy_keys', label: 'Deploy keys', icon: 'key', href: '/admin/deploy_keys' },
      { key: 'hooks', label: 'System hooks', icon: 'link', href: '/admin/hooks' },
      { key: 'integrations', label: 'Integrations', icon: 'plug', href: '/admin/integrations' },
      { key: 'audit', label: 'Audit log', icon: 'log', href: '/admin/audit_logs', tier: 'premium' },
    ],
  },
  {
    title: 'Running it',
    items: [
      { key: 'queue', label: 'Background jobs', icon: 'workflow', href: '/admin/background_jobs' },
      { key: 'mails', label: 'Mails', icon: 'mail', href: '/-/mails' },
      { key: 'system', label: 'System', icon: 'info', href: '/admin/system_info' },
      { key: 'rate_limits', label: 'Rate limits', icon: 'stopwatch', href: '/admin/rate_limits' },
      { key: 'licences', label: 'Licences', icon: 'law', href: '/admin/licences' },
    ],
  },
]

/** The place of a page of the administration. `current`: the key of the page; `settings` for those of the settings. */
export const adminPlace = (current: string, { tier }: { readonly tier: Tier } = { tier: 'free' }): Place => ({
  crumbs: [{ label: 'Administration', href: '/admin' }],
  icon: 'server',
  current: current === 'settings' ? 'settings' : 'administration',
  tabs: [
    { key: 'administration', label: 'Administration', icon: 'server', href: '/admin' },
    { key: 'settings', label: 'Settings', icon: 'gear', href: '/admin/application_settings/general' },
  ],
  side: {
    label: 'Administration',
    current,
    groups: areas.map(({ items, ...group }) => ({ ...group, items: items.filter(item => tierCovers(tier, item.tier)) })),
  },
})
