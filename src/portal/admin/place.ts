/** The administration as the place of a page. */
import type { Place } from '../../platform/pages/frame/place.ts'

export const adminPlace = (current: string): Place => ({
  crumbs: [{ label: 'Administration', href: '/admin' }],
  icon: 'server',
  current,
  tabs: [
    { key: 'overview', label: 'Overview', icon: 'pulse', href: '/admin' },
    { key: 'users', label: 'People', icon: 'people', href: '/admin/users' },
    { key: 'groups', label: 'Groups', icon: 'organization', href: '/admin/groups' },
    { key: 'projects', label: 'Projects', icon: 'repo', href: '/admin/projects' },
    { key: 'messages', label: 'Messages', icon: 'megaphone', href: '/admin/broadcast_messages' },
    { key: 'variables', label: 'Variables', icon: 'key', href: '/admin/ci/variables' },
    { key: 'jobs', label: 'Background jobs', icon: 'workflow', href: '/admin/background_jobs' },
    { key: 'system', label: 'System', icon: 'info', href: '/admin/system_info' },
    { key: 'settings', label: 'Settings', icon: 'gear', href: '/admin/application_settings/general' },
  ],
})
