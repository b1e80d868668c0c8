/**
 * What the notes on an item name, as far as the actor may see it. A page asks many questions about an item's notes, each of which depends on that:
 * it is found once for all of them.
 */
import { type RawBuilder, sql } from 'kysely'
import { projectsAllowing } from '../../../platform/access/ability_conditions.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import {
  compilableUser,
  type KnownMemberships,
  type PersonKind,
  personKind,
  personOfKind,
  rolesAmong,
} from '../../../platform/access/visible.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { idArray } from '../../../platform/db/statements/any.ts'
import { compiledPer } from '../../../platform/db/statements/compiled.ts'
import { forEachRow, genericPlan } from '../../../platform/db/statements/prepared.ts'
import { type NamedKind, namedKinds } from '../../item_kinds/item_kind.ts'
import { columnOf, type NoteableTables } from '../../item_kinds/kinds.ts'
import type { NamedKey, Noteable, VisibleNames } from './noteable.ts'

/** Of one kind; where more are visible, each statement looks them up itself. */
const MOST = 10_000

/**
 * The id, if it is that of an item of this kind that the actor may see.
 * @param known the actor's memberships in the projects of the items, if they are loaded
 */
function visibleItem(actor: Actor, kind: NamedKind, id: RawBuilder<unknown>, known?: KnownMemberships): RawBuilder<number> {
  const [table, from] = [kind.table, kind.from].map(part => sql.raw(part))
  const inProject = known && kind.within === 'project' ? sql<boolean>`projects.id = ${table}.project_id` : undefined
  return sql`
    select ${table}.id from ${from} where ${table}.id = ${id} and ${kind.visible(actor, inProject, known)}`
}

/** The id, if it is that of a project whose code the actor may read. */
const readableProject = (actor: Actor, id: RawBuilder<unknown>, known?: KnownMemberships): RawBuilder<number> =>
  projectsAllowing(actor, 'read_code', sql<boolean>`projects.id = ${id}`, known)

interface Naming {
  readonly key: NamedKey
  /** The column of `notes`. */
  readonly column: RawBuilder<unknown>
  /** Where the item with an id is: a query of its project; undefined for what is in groups. */
  readonly projectOf: ((id: RawBuilder<unknown>) => RawBuilder<number>) | undefined
  /** What of an id the actor may see: the id itself, or nothing. */
  seen(id: RawBuilder<unknown>, known?: KnownMemberships): RawBuilder<number>
}

const namings = (actor: Actor): readonly Naming[] => [
  ...namedKinds().map((kind): Naming => {
    const table = sql.raw(kind.table)
    return {
      key: kind.key,
      column: sql.raw(`notes.named_${kind.key}`),
      projectOf: kind.within === 'project' ? id => sql`select about.project_id from ${table} about where about.id = ${id}` : undefined,
      seen: (id, known) => visibleItem(actor, kind, id, known),
    }
  }),
  {
    key: 'project_id',
    column: sql.raw('notes.named_project_id'),
    projectOf: id => sql`select ${id}`,
    seen: (id, known) => readableProject(actor, id, known),
  },
]

/** What the notes on the item with this key name. */
function visibleNames(actor: Actor, name: NoteableTables['key'], id: number) {
  const all = namings(actor).map(naming => ({ ...naming, ids: sql.ref(`named_${naming.key}`) }))
  const named = all.map(
    ({ ids, column }) => sql`${ids} as materialized (
      select distinct ${column} as id from notes where ${sql.ref(`notes.${name}`)} = ${id} and ${column} is not null limit ${sql.lit(MOST + 1)})`,
  )
  const namedId = sql.raw('named.id')
  const places = all.flatMap(({ ids, projectOf }) =>
    projectOf ? [sql`select place.project_id from ${ids} as named cross join lateral (${projectOf(namedId)}) as place (project_id)`] : [],
  )
  const { held, known } = rolesAmong(actor, sql`${sql.join(places, sql` union all `)}`)
  const columns = all.map(
    ({ key, ids, seen }) =>
      sql`array(select named.id from ${ids} as named where named.id in (${forEachRow(seen(namedId, known))})) as ${sql.ref(key)}`,
  )
  return sql<VisibleNames>`${genericPlan} with ${sql.join(named)}, ${held} select ${sql.join(columns)}`
}

const namesOfKind = compiledPer((shape: `${PersonKind} ${NoteableTables['key']}`) => {
  const [kind, name] = shape.split(' ') as [PersonKind, NoteableTables['key']]
  return (_db, userId: number, id: number) => visibleNames(personOfKind(kind, userId), name, id)
})

/** The noteable with what its notes name and the actor may see. One statement. */
export async function withVisibleNames<Item extends Noteable>(db: Db, actor: Actor, noteable: Item): Promise<Item> {
  const [name, id] = columnOf(noteable.key)
  const user = compilableUser(actor)
  const rows = user
    ? await namesOfKind(db, `${personKind(user)} ${name}`, user.id, id)
    : (await visibleNames(actor, name, id).execute(db)).rows
  return { ...noteable, ...(rows[0] && { names: rows[0] }) }
}

/** May the actor see what the note `notes` names, if it names something? */
export function namesVisible(actor: Actor, { names }: Pick<Noteable, 'names'>): RawBuilder<boolean>[] {
  return namings(actor).map(({ key, column, seen }) => {
    const known = names?.[key]
    if (known?.length === 0) return sql<boolean>`${column} is null`
    if (known && known.length <= MOST) return sql<boolean>`(${column} is null or ${column} = any(${idArray(known)}))`
    // With `in`: the planner plans a subquery within `exists` that has other conditions twice, once per row and once hashed.
    return sql<boolean>`(${column} is null or ${column} in (${seen(column)}))`
  })
}
