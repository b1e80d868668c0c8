/** Where the pages of analytics stand, and which are beside each other. */
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import type { Html } from '../../platform/pages/html.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { analyticsNav } from './flow_view.ts'

export const ISSUES = '/-/value_stream_analytics'
export const MERGE_REQUESTS = '/-/analytics/merge_request_analytics'
export const CONTRIBUTIONS = '/-/contribution_analytics'
/** Of a project: the platform's address. */
export const PIPELINES = '/-/pipelines/charts'
export const GROUP_PIPELINES = '/-/analytics/ci_cd'

export interface InProject {
  readonly project: ProjectWithRole
}
export interface InGroup {
  readonly group: GroupRow & { readonly role: number }
}

/** Where a page stands, and the pages beside it. */
export interface Around {
  readonly place: Place
  readonly base: string
  readonly nav: Html
}

/** Around a page of a project. `current`: its path. */
export function aroundProject({ actor, project }: Context & InProject, current: string): Around {
  const may = (ability: Ability) => allows(actor, ability, projectSubject(project)) === 'yes'
  const links = [
    ...(may('read_issue_analytics') ? [['Issues', ISSUES] as const] : []),
    ...(may('read_merge_request_analytics') ? [['Merge requests', MERGE_REQUESTS] as const] : []),
    ...(may('read_ci_cd_analytics') ? [['CI/CD', PIPELINES] as const] : []),
  ]
  return {
    place: projectPlace(actor, project, 'analytics'),
    base: projectPath(project, current),
    nav: analyticsNav(links.map(([label, path]) => ({ label, href: projectPath(project, path), isCurrent: path === current }))),
  }
}

/** Around a page of a group. `current`: its path. */
export function aroundGroup({ actor, group }: Context & InGroup, current: string): Around {
  const links = [
    ['Issues', ISSUES],
    ['Merge requests', MERGE_REQUESTS],
    ['Contributions', CONTRIBUTIONS],
    ...(allows(actor, 'read_group_ci_cd_analytics', groupSubject(group)) === 'yes' ? [['CI/CD', GROUP_PIPELINES] as const] : []),
  ] as const
  return {
    place: groupPlace(actor, group, 'analytics'),
    base: groupPath(group, current),
    nav: analyticsNav(links.map(([label, path]) => ({ label, href: groupPath(group, path), isCurrent: path === current }))),
  }
}
