/** A group as the place of a page: its path and the tabs that this caller may open. */
import { type Ability, allows } from '../../../platform/access/abilities.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { Port } from '../../../platform/kernel/declaration/port.ts'
import type { Place, Tab } from '../../../platform/pages/frame/place.ts'
import { crumbsOf } from '../../projects/pages/place.ts'
import type { GroupRow } from '../queries.ts'
import { groupSubject } from '../scope.ts'

/** A tab of every group; `src/server/page_parts.ts` lists them in their order. */
export interface GroupTab extends Omit<Tab, 'href' | 'count' | 'below'> {
  /** After `/groups/` and the path of the group: `/-/group_members`, empty for its own page. */
  readonly path: string
  /** What the caller needs to see it. */
  readonly can: Ability
}

export const groupTabs = new Port<readonly GroupTab[]>('groupTabs')

/** The address of a page of a group. Pure. */
export const groupPath = ({ full_path }: { readonly full_path: string }, rest = ''): string => `/groups/${full_path}${rest}`

/** The place of a group's page. `current`: the key of its tab. */
export function groupPlace(actor: Actor, group: GroupRow & { readonly role: number }, current: string): Place {
  const subject = groupSubject(group)
  return {
    crumbs: crumbsOf(group.full_path, group.full_name),
    icon: group.visibility === 'public' ? 'organization' : 'lock',
    current,
    tabs: groupTabs.value
      .filter(({ can }) => allows(actor, can, subject) === 'yes')
      .map(({ path, can: _can, ...tab }) => ({ ...tab, href: groupPath(group, path) })),
  }
}
