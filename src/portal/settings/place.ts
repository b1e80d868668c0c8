/** One's own settings as the place of a page. */
import type { Place } from '../../platform/pages/frame/place.ts'

export const SETTINGS = '/-/profile'

/** Where the primary address is changed. */
export const PRIMARY = `${SETTINGS}/email/edit` as const

export const settingsPlace = (current: string): Place => ({
  crumbs: [{ label: 'Settings', href: SETTINGS }],
  icon: 'gear',
  current,
  tabs: [
    { key: 'profile', label: 'Profile', icon: 'person', href: SETTINGS },
    { key: 'status', label: 'Status', icon: 'smiley', href: `${SETTINGS}/status` },
    { key: 'password', label: 'Password', icon: 'lock', href: `${SETTINGS}/password/edit` },
    { key: 'two_factor', label: 'Two factors', icon: 'shield-check', href: `${SETTINGS}/two_factor` },
    { key: 'identities', label: 'Linked accounts', icon: 'link', href: `${SETTINGS}/identities` },
    { key: 'emails', label: 'Emails', icon: 'mail', href: `${SETTINGS}/emails` },
    { key: 'tokens', label: 'Access tokens', icon: 'key', href: `${SETTINGS}/personal_access_tokens` },
    { key: 'keys', label: 'SSH keys', icon: 'key', href: `${SETTINGS}/keys` },
    { key: 'gpg_keys', label: 'GPG keys', icon: 'shield-lock', href: `${SETTINGS}/gpg_keys` },
    { key: 'applications', label: 'Applications', icon: 'link', href: `${SETTINGS}/applications` },
    { key: 'sessions', label: 'Sessions', icon: 'globe', href: `${SETTINGS}/active_sessions` },
    { key: 'notifications', label: 'Notifications', icon: 'bell', href: `${SETTINGS}/notifications` },
    { key: 'export', label: 'Your data', icon: 'download', href: `${SETTINGS}/export` },
    { key: 'preferences', label: 'Preferences', icon: 'sun', href: `${SETTINGS}/preferences` },
  ],
})
