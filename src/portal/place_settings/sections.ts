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
  { key: 'members', group: 'Access', label: 'Members', icon: 'people', path: '/-/project_members', can: 'admin_project_member' },
]

export const groupSections: readonly SettingsSection[] = [
  { key: 'members', group: 'Access', label: 'Members', icon: 'people', path: '/-/group_members', can: 'admin_group_member' },
]
