/** Resolves the references of a text to links for a reader. References to what the reader may not see stay text. */

import { type RawBuilder, sql } from 'kysely'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { resolveCommits } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { trackerOf } from '../../spaces/integration_settings/elsewhere.ts'
import { groupPlaceOf, planningPlaceOf } from '../../spaces/places/places.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { type NamedKind, namedKinds } from '../item_kinds/item_kind.ts'
import type { ReferenceLink } from './document.ts'
import type { Reference, ReferenceKind } from './references.ts'

type Reader = Pick<Context, 'db' | 'deps' | 'actor' | 'url'>
type Links = [text: string, link: ReferenceLink][]

/** Where a text stands: a project, or a group, whose epics and iterations have texts. */
export type TextHome = ProjectWithRole | GroupHome

export interface GroupHome {
  /** With the reader's role in it. */
  readonly group: GroupRow & { readonly role: number }
}

const isGroup = (home: TextHome): home is GroupHome => 'group' in home

/** The project of a text; undefined for the texts of a group. */
export const projectOf = (home: TextHome | undefined): ProjectWithRole | undefined => (home && !isGroup(home) ? home : undefined)

/** The columns of the labels and milestones of a text's own place, the groups above it, and the path of its pages. */
const planningOf = (home: TextHome) =>
  isGroup(home)
    ? { ...groupPlaceOf(home.group), page: `groups/${home.group.full_path}` }
    : { ...planningPlaceOf(home), page: home.full_path }

/** May the reader do this in the place of a text, a project or a group? */
const mayHere = ({ actor }: Reader, home: TextHome, inProject: Ability, inGroup: Ability): boolean =>
  (isGroup(home) ? allows(actor, inGroup, groupSubject(home.group)) : allows(actor, inProject, projectSubject(home))) === 'yes'

type Owned = Pick<ReturnType<typeof planningOf>, 'key'>

/** The ids of the groups whose labels, milestones and iterations a text names without a path. */
const groupIdsOf = ({ key, above }: Owned & { readonly above: readonly number[] }): readonly number[] =>
  'namespace_id' in key ? [...above, key.namespace_id] : above

/** The project whose own labels and milestones a text names; 0 for none. */
const projectIdOf = ({ key }: Owned): number => ('project_id' in key ? key.project_id : 0)

/** The length of a short commit id. */
const SHORT = 8

/** Upper bound of the commits of a text that are looked up; others stay text. */
const MOST_COMMITS = 100

/**
 * The links of the references in a text of the project or group `home`, by reference text. A fixed number of statements, however many
 * references there are.
 * @param home undefined for a text that stands in neither, in which only full references are resolved
 */
export async function linksOf(
  ctx: Reader,
  home: TextHome | undefined,
  references: readonly Reference[],
): Promise<ReadonlyMap<string, ReferenceLink>> {
  const of = (kind: ReferenceKind) => [
    ...new Map(references.filter(found => found.kind === kind).map(found => [found.text, found])).values(),
  ]
  const project = projectOf(home)
  const found = await Promise.all([
    ...namedKinds().map(kind => itemLinks(ctx, kind, home, of(kind.noun))),
    peopleLinks(ctx, of('user')),
    home && mayHere(ctx, home, 'read_label', 'read_group_label') ? labelLinks(ctx, home, of('label')) : [],
    home && mayHere(ctx, home, 'read_milestone', 'read_group_milestone') ? milestoneLinks(ctx, home, of('milestone')) : [],
    home && mayHere(ctx, home, 'read_project_iteration', 'read_iteration') ? iterationLinks(ctx, home, of('iteration')) : [],
    project ? commitLinks(ctx, project, of('commit')) : [],
  ])
  const links = new Map(found.flat())
  // Contract: a number is that of an issue here where there is one, and else of the tracker outside (documentation of the trackers).
  const elsewhere = [...of('external_issue'), ...of('issue').filter(({ text, place }) => place === undefined && !links.has(text))]
  if (project && elsewhere.length > 0) for (const [text, link] of await outsideLinks(ctx, project, elsewhere)) links.set(text, link)
  return links
}

/** Links to the issue tracker that the project has outside. */
async function outsideLinks({ db }: Reader, project: ProjectWithRole, references: readonly Reference[]): Promise<Links> {
  const tracker = await trackerOf(db, project)
  if (!tracker) return []
  return references.flatMap(({ text, name }): Links => {
    const href = tracker.addressOf(text, name)
    return href === undefined ? [] : [[text, { href, title: `Issue in ${tracker.title}` }]]
  })
}

/** The paths of a project and its group. */
type ProjectPaths = Pick<ProjectWithRole, 'full_path' | 'namespace_full_path'>

/** The lower-case full path of the project that a reference names. A name without slash is a project of the same group. */
export function placeOf({ place }: Reference, home: ProjectPaths | undefined): string | undefined {
  if (place === undefined) return home?.full_path.toLowerCase()
  return (place.includes('/') || !home ? place : `${home.namespace_full_path}/${place}`).toLowerCase()
}

/**
 * The lower-case full path of the project or group of an item reference. Without a path, an epic belongs to the group of the
 * project.
 */
export const itemPlaceOf = (kind: Pick<NamedKind, 'within'>, reference: Reference, home: ProjectPaths | undefined): string | undefined =>
  kind.within === 'group' ? (reference.place ?? home?.namespace_full_path)?.toLowerCase() : placeOf(reference, home)

/** The same for a text that may stand in a group: a number alone is that of an epic, a name without slash a project of the group. */
function itemPlaceIn(kind: Pick<NamedKind, 'within'>, reference: Reference, home: TextHome | undefined): string | undefined {
  if (!home || !isGroup(home)) return itemPlaceOf(kind, reference, home)
  const { full_path } = home.group
  if (kind.within === 'project' && reference.place === undefined) return undefined
  return itemPlaceOf(kind, reference, { full_path, namespace_full_path: full_path })
}

async function itemLinks(
  { db, actor, url }: Reader,
  kind: NamedKind,
  home: TextHome | undefined,
  references: readonly Reference[],
): Promise<Links> {
  const wanted = references.flatMap(reference => {
    const path = itemPlaceIn(kind, reference, home)
    return path === undefined ? [] : [{ text: reference.text, path, iid: Number(reference.name) }]
  })
  const rows = await kind.named({ db, actor }, wanted)
  const byName = new Map(rows.map(row => [`${row.path.toLowerCase()}${kind.sigil}${row.iid}`, row]))
  return wanted.flatMap(({ text, path, iid }): Links => {
    const row = byName.get(`${path}${kind.sigil}${iid}`)
    return row
      ? [
          [
            text,
            { href: `${url}/${kind.pageOf(row.path, row.iid)}`, title: row.title, ...(row.state !== undefined && { state: row.state }) },
          ],
        ]
      : []
  })
}

async function peopleLinks({ db, actor, url }: Reader, references: readonly Reference[]): Promise<Links> {
  if (references.length === 0) return []
  const names = references.map(({ name }) => name.toLowerCase())
  const users = await db
    .selectFrom('users')
    .select(['username as path', 'name'])
    .where(sql<boolean>`lower(username) = any(${names})`)
    .execute()
  // No group has the path of a user: most names need no second statement.
  const ofUsers = new Set(users.map(({ path }) => path.toLowerCase()))
  const others = names.filter(name => !ofUsers.has(name))
  const groups =
    others.length === 0
      ? []
      : await db
          .selectFrom('namespaces')
          .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
          .select(['routes.path', 'namespaces.name'])
          .where('namespaces.kind', '=', 'group')
          .where(sql<boolean>`lower(routes.path) = any(${others})`)
          .where(groupVisibleTo(actor) as RawBuilder<boolean>)
          .execute()
  const byName = new Map([
    ...groups.map(row => [row.path.toLowerCase(), { href: `${url}/groups/${row.path}`, title: row.name }] as const),
    ...users.map(row => [row.path.toLowerCase(), { href: `${url}/${row.path}`, title: row.name }] as const),
  ])
  return references.flatMap(({ text, name }): Links => {
    const link = byName.get(name.toLowerCase())
    return link ? [[text, link]] : []
  })
}

/** Links of labels of a project or group and the groups above it. */
async function labelLinks({ db, url }: Reader, home: TextHome, references: readonly Reference[]): Promise<Links> {
  if (references.length === 0) return []
  const place = planningOf(home)
  const ids = references.flatMap(({ name }) => (/^\d{1,15}$/.test(name) ? [Number(name)] : []))
  const rows = await db
    .selectFrom('labels')
    .select(['id', 'name', 'description'])
    .where(({ or, eb }) => or([eb('project_id', '=', projectIdOf(place)), eb('namespace_id', '=', anyOf(groupIdsOf(place)))]))
    .where(({ or, eb }) => or([eb('name', '=', anyOf(references.map(({ name }) => name))), eb('id', '=', anyOf(ids))]))
    .execute()
  const link = (row: (typeof rows)[number]) => ({
    href: `${url}/${place.page}/-/issues?label_name=${encodeURIComponent(row.name)}`,
    title: row.description ?? '',
    text: row.name,
  })
  const byName = new Map([...rows.map(row => [String(row.id), link(row)] as const), ...rows.map(row => [row.name, link(row)] as const)])
  return references.flatMap(({ text, name }): Links => {
    const found = byName.get(name)
    return found ? [[text, found]] : []
  })
}

/** Links of milestones of a project or group and the groups above it, by title; those of the project itself by number, too. */
async function milestoneLinks({ db, url }: Reader, home: TextHome, references: readonly Reference[]): Promise<Links> {
  if (references.length === 0) return []
  const place = planningOf(home)
  const iids = references.flatMap(({ name }) => (/^\d{1,15}$/.test(name) ? [Number(name)] : []))
  const rows = await db
    .selectFrom('milestones')
    .leftJoin('routes', 'routes.namespace_id', 'milestones.namespace_id')
    .select(['milestones.iid', 'milestones.title', 'milestones.project_id', 'routes.path as group_path'])
    .where(({ or, eb }) =>
      or([eb('milestones.project_id', '=', projectIdOf(place)), eb('milestones.namespace_id', '=', anyOf(groupIdsOf(place)))]),
    )
    .where(({ or, and, eb }) =>
      or([
        eb('milestones.title', '=', anyOf(references.map(({ name }) => name))),
        and([eb('milestones.project_id', '=', projectIdOf(place)), eb('milestones.iid', '=', anyOf(iids))]),
      ]),
    )
    .execute()
  const byName = new Map(
    rows.flatMap(row => {
      const page = row.project_id === null ? `groups/${row.group_path}` : place.page
      const link = { href: `${url}/${page}/-/milestones/${row.iid}`, title: row.title, text: `%${row.title}` }
      return [[row.title, link] as const, ...(row.project_id === null ? [] : [[String(row.iid), link] as const])]
    }),
  )
  return references.flatMap(({ text, name }): Links => {
    const link = byName.get(name)
    return link ? [[text, link]] : []
  })
}

/** Links of the iterations of a group, or of a project's group, and of those above it, by title or id. */
async function iterationLinks({ db, url }: Reader, home: TextHome, references: readonly Reference[]): Promise<Links> {
  if (references.length === 0) return []
  const ids = references.flatMap(({ name }) => (/^\d{1,15}$/.test(name) ? [Number(name)] : []))
  const rows = await db
    .selectFrom('iterations')
    .innerJoin('routes', 'routes.namespace_id', 'iterations.namespace_id')
    .select(['iterations.id', 'iterations.title', 'routes.path'])
    .where('iterations.namespace_id', '=', anyOf(groupIdsOf(planningOf(home))))
    .where(({ or, eb }) =>
      or([eb('iterations.title', '=', anyOf(references.map(({ name }) => name))), eb('iterations.id', '=', anyOf(ids))]),
    )
    .execute()
  const byName = new Map(
    rows.flatMap(({ id, title, path }) => {
      const link = { href: `${url}/groups/${path}/-/iterations/${id}`, title, text: title }
      return [[title, link] as const, [String(id), link] as const]
    }),
  )
  return references.flatMap(({ text, name }): Links => {
    const link = byName.get(name)
    return link ? [[text, link]] : []
  })
}

/** Links of commits of the project itself, if the reader may read its code. */
async function commitLinks({ deps, actor, url }: Reader, home: ProjectWithRole, references: readonly Reference[]): Promise<Links> {
  const own = references.filter(reference => placeOf(reference, home) === home.full_path.toLowerCase()).slice(0, MOST_COMMITS)
  if (own.length === 0 || allows(actor, 'read_code', projectSubject(home)) !== 'yes') return []
  const repository = await findRepository(deps.storages, home)
  if (!repository) return []
  const ids = await resolveCommits(
    repository,
    own.map(({ name }) => name),
  )
  return own.flatMap(({ text, name }, index): Links => {
    const id = ids[index]
    if (!id) return []
    const short = id.slice(0, SHORT)
    const link = { href: `${url}/${home.full_path}/-/commit/${id}`, title: `Commit ${short}` }
    // A whole id, which system notes have, is long to read (public behaviour at 14.0).
    return [[text, name.length > SHORT ? { ...link, text: `${text.slice(0, -name.length)}${short}` } : link]]
  })
}
