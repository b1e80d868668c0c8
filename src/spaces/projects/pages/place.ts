/** A project as the place of a page: its path and the tabs that this caller may open. */
import { type Ability, allows } from '../../../platform/access/abilities.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { Port } from '../../../platform/kernel/declaration/port.ts'
import type { Place, Tab } from '../../../platform/pages/frame/place.ts'
import { tabsElsewhere } from '../../integration_settings/tabs.ts'
import { type ProjectWithRole, projectSubject } from '../scope.ts'

/** A tab of every project; the wing that has its pages declares it, `src/server/page_parts.ts` lists them in their order. */
export interface ProjectTab extends Omit<Tab, 'href' | 'count' | 'below'> {
  /** After the path of the project: `/-/issues`, empty for its own page. */
  readonly path: string
  /** What the caller needs to see it. */
  readonly can: Ability
  /** Not shown of a repository without a commit. */
  readonly needsCommits?: true
  /** Shown where this is on in the project. */
  readonly needs?: 'packages_enabled'
  /** Pages that the page of the tab leads to. */
  readonly below?: readonly PageBelow[]
}

/** A page of a project that has no tab. */
export interface PageBelow {
  readonly label: string
  readonly path: string
  readonly can: Ability
  /** Something new begins there. */
  readonly isNew?: true
}

export const projectTabs = new Port<readonly ProjectTab[]>('projectTabs')

/** The address of a page of a project. Pure. */
export const projectPath = ({ full_path }: { readonly full_path: string }, rest = ''): string => `/${full_path}${rest}`

/** The crumbs of a full path: each namespace above, then the place itself. Names are shown, paths lead. */
export function crumbsOf(fullPath: string, fullName: string): Place['crumbs'] {
  const segments = fullPath.split('/')
  const names = fullName.split(' / ')
  return segments.map((segment, index) => ({
    label: names.length === segments.length ? (names[index] as string) : segment,
    href: `/${segments.slice(0, index + 1).join('/')}`,
  }))
}

/** The place of a project's page. `current`: the key of its tab. */
export function projectPlace(actor: Actor, project: ProjectWithRole, current: string): Place {
  const subject = projectSubject(project)
  return {
    crumbs: crumbsOf(project.full_path, project.full_name),
    icon: project.visibility === 'public' ? 'repo' : 'lock',
    ...(project.archived && { mark: 'Archived' }),
    current,
    elsewhere: db => tabsElsewhere(db, project),
    tabs: projectTabs.value
      .filter(({ can }) => allows(actor, can, subject) === 'yes')
      .filter(({ needsCommits, needs }) => {
        if (needsCommits && project.default_branch === null) return false
        return needs === undefined || project[needs]
      })
      .map(({ path, can: _can, needsCommits: _needsCommits, needs: _needs, below, ...tab }) => ({
        ...tab,
        href: projectPath(project, path),
        ...(below && {
          below: below
            .filter(({ can }) => allows(actor, can, subject) === 'yes')
            .map(({ label, path, isNew }) => ({ label, href: projectPath(project, path), ...(isNew && { isNew }) })),
        }),
      })),
  }
}
