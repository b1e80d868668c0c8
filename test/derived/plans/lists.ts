/**
 * The lists whose plans are looked at: those of issues 3, 4 and 5, in every order and with the filters that lead elsewhere
 * than the plain list does.
 */
import type { IssueWorld } from '../../../bench/world/issues.ts'
import type { World } from '../../../bench/world/projects.ts'
import { orders } from '../../../src/planning/shared/lists/orders.ts'
import { sizeOrders } from '../../../src/spaces/projects/queries.ts'

/** Who asks: a user in a dozen trees of groups, a user in none, an anonymous caller, an administrator. */
export const askers = ['member', 'outsider', 'anonymous', 'admin'] as const
export type Asker = (typeof askers)[number]

/** A list as a caller requests it; `path` comes after the API's prefix. */
export interface List {
  readonly asker: Asker
  readonly path: string
}

const both = ['asc', 'desc'] as const

/** The same list for each asker. */
const forAll = (path: string): List[] => askers.map(asker => ({ asker, path }))
const forMember = (paths: readonly string[]): List[] => paths.map(path => ({ asker: 'member', path }))

const projects = [
  ...forAll('/projects'),
  ...forAll('/projects?search=Project+199'),
  ...forMember(
    ['id', 'name', 'path', 'updated_at', 'last_activity_at', 'star_count'].flatMap(order =>
      both.map(sort => `/projects?order_by=${order}&sort=${sort}`),
    ),
  ),
  ...sizeOrders.map((order): List => ({ asker: 'admin', path: `/projects?order_by=${order}` })),
  ...forMember([
    '/projects?sort=asc',
    '/projects?page=50',
    '/projects?pagination=keyset&order_by=id',
    '/projects?membership=true',
    '/projects?owned=true',
    '/projects?starred=true',
    '/projects?min_access_level=40',
    '/projects?visibility=private',
    '/projects?archived=true',
    '/projects?topic=topic-8',
    '/projects?search=platform',
    '/projects?search=Team+12&search_namespaces=true',
    '/projects?id_after=15000',
    '/projects?last_activity_after=2021-07-01T00:00:00Z',
    '/projects?with_programming_language=Ruby',
    '/projects?simple=true&membership=true&search=project-1&order_by=last_activity_at',
  ]),
]

const aroundProjects = ({ projectId, userId }: World) => [
  ...forMember([
    `/projects/${projectId}/forks`,
    `/projects/${projectId}/starrers`,
    `/projects/${projectId}/starrers?search=person-12`,
    `/projects/${projectId}/members`,
    `/projects/${projectId}/members/all`,
    `/projects/${projectId}/members/all?query=person-12`,
    `/users/${userId}/projects`,
    `/users/${userId}/starred_projects`,
  ]),
]

const groups = ({ groupId }: World) => [
  ...forAll('/groups'),
  ...forAll(`/groups/${groupId + 20}/projects?include_subgroups=true`),
  ...forMember([
    '/groups?all_available=true',
    '/groups?all_available=true&order_by=path',
    '/groups?all_available=true&order_by=id',
    '/groups?all_available=true&search=Team+123',
    '/groups?all_available=true&top_level_only=true',
    '/groups?owned=true',
    '/groups?min_access_level=40',
    '/namespaces',
    '/namespaces?search=team-123',
    ...['subgroups', 'descendant_groups', 'projects', 'projects/shared', 'members', 'members/all'].map(
      list => `/groups/${groupId}/${list}`,
    ),
    `/groups/${groupId}/projects?include_subgroups=true&order_by=name`,
    `/groups/${groupId}/projects?include_subgroups=true&search=project-1`,
    `/groups/${groupId}/projects?with_shared=false`,
  ]),
]

const issues = ({ bigProjectId, groupId, label, otherLabel, milestone, authorId }: IssueWorld) => {
  const places = [`/projects/${bigProjectId}/issues`, `/groups/${groupId}/issues`, '/issues?scope=all']
  const withQuery = (place: string, query: Record<string, string>) =>
    `${place}${place.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`
  const filters: Record<string, string>[] = [
    { state: 'opened' },
    { labels: label },
    { labels: `${label},label 4` },
    { labels: 'None' },
    { milestone },
    { milestone: 'None' },
    { author_id: String(authorId) },
    { author_username: 'person-0' },
    { assignee_id: String(authorId) },
    { assignee_id: 'None' },
    { 'not[labels]': label },
    { 'not[author_id]': String(authorId) },
    { labels: label, milestone, author_id: String(authorId), 'not[labels]': otherLabel },
    { search: 'step 88' },
    { search: 'Part 9972', in: 'title' },
    { search: 'does not work', state: 'opened', labels: label },
    { confidential: 'true' },
    { due_date: 'overdue' },
    { weight: '3' },
    { my_reaction_emoji: 'Any' },
    { 'iids[]': '7' },
    { created_after: '2020-02-01T00:00:00Z', updated_before: '2020-06-01T00:00:00Z' },
  ]
  return [
    ...places.slice(2).flatMap(forAll),
    ...forMember(places),
    ...forMember(places.flatMap(place => orders.flatMap(order_by => both.map(sort => withQuery(place, { order_by, sort }))))),
    ...forMember(places.flatMap(place => filters.map(filter => withQuery(place, filter)))),
    ...forMember(['/issues', '/issues?scope=assigned_to_me']),
    ...forMember([`/projects/${bigProjectId}/issues_statistics`, `/groups/${groupId}/issues_statistics`, '/issues_statistics?scope=all']),
  ]
}

const mergeRequests = ({ bigProjectId, groupId, label, otherLabel, milestone, authorId }: IssueWorld) => {
  const places = [`/projects/${bigProjectId}/merge_requests`, `/groups/${groupId}/merge_requests`, '/merge_requests?scope=all']
  const withQuery = (place: string, query: Record<string, string>) =>
    `${place}${place.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`
  const filters: Record<string, string>[] = [
    { state: 'opened' },
    { state: 'merged' },
    { labels: label },
    { labels: `${label},label 4` },
    { labels: `${label},${otherLabel}` },
    { labels: 'None' },
    { milestone },
    { author_id: String(authorId) },
    { assignee_id: String(authorId) },
    { reviewer_id: String(authorId) },
    { reviewer_username: 'person-0' },
    { reviewer_id: 'None' },
    { 'approved_by_ids[]': String(authorId) },
    { 'approver_ids[]': String(authorId) },
    { 'not[labels]': label },
    { 'not[reviewer_id]': String(authorId) },
    { labels: label, milestone, author_id: String(authorId), 'not[labels]': otherLabel },
    { search: 'step 88' },
    { search: 'part 972 of', in: 'title' },
    { source_branch: 'topic-7' },
    { target_branch: 'stable' },
    { wip: 'yes' },
    { my_reaction_emoji: 'Any' },
    { view: 'simple' },
    { created_after: '2020-02-01T00:00:00Z', updated_before: '2020-06-01T00:00:00Z' },
  ]
  const ordered = ['created_at', 'updated_at', 'title'].flatMap(order_by => both.map(sort => ({ order_by, sort })))
  return [
    ...places.slice(2).flatMap(forAll),
    ...forMember(places.flatMap(place => [{}, ...ordered, ...filters].map(query => withQuery(place, query)))),
    ...forMember([
      withQuery(places[0] as string, { 'iids[]': '7' }),
      withQuery(places[2] as string, { environment: 'production' }),
      '/merge_requests',
      '/merge_requests?scope=assigned_to_me',
    ]),
  ]
}

/** By the name of the golden file that holds their plans. */
export const listsOf = (world: World, issueWorld: IssueWorld): Readonly<Record<string, readonly List[]>> => ({
  projects: [...projects, ...aroundProjects(world)],
  groups: groups(world),
  issues: issues(issueWorld),
  merge_requests: mergeRequests(issueWorld),
})
