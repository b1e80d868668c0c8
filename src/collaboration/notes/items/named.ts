/**
 * What the notes on an item name, as far as the actor may see it. A page asks many questions about an item's notes, each of which depends on that:
 * it is found once for all of them.
 */
import { type RawBuilder, sql } from 'kysely'
import { projectsAllowing } from '../../../platform/access/ability_conditions.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { compilableUser, type PersonKind, personKind, personOfKind } from '../../../platform/access/visible.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { idArray } from '../../../platform/db/statements/any.ts'
import { compiledPer } from '../../../platform/db/statements/compiled.ts'
import { forEachRow, genericPlan } from '../../../platform/db/statements/prepared.ts'
import { type NamedKind, namedKinds } from '../../item_kinds/item_kind.ts'
import { columnOf, type NoteableTables } from '../../item_kinds/kinds.ts'
import type { NamedKey, Noteable, VisibleNames } from './noteable.ts'

/** Of one kind; where more are visible, each statement looks them up itself. */
const MOST = 10_000

/** The id, if it is that of an item of this kind that the actor may see. */
function visibleItem(actor: Actor, kind: NamedKind, id: RawBuilder<unknown>): RawBuilder<number> {
  const [table, from] = [kind.table, kind.from].map(part => sql.raw(part))
  return sql`
    select ${table}.id from ${from} where ${table}.id = ${id} and ${kind.visible(actor)}`
}

/** The id, if it is that of a project whose code the actor may read. */
const readableProject = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<number> =>
  projectsAllowing(actor, 'read_code', sql<boolean>`projects.id = ${id}`)

interface Naming {
  readonly key: NamedKey
  /** The column of `notes`. */
  readonly column: RawBuilder<unknown>
  /** What of an id the actor may see: the id itself, or nothing. */
  seen(id: RawBuilder<unknown>): RawBuilder<number>
}

const namings = (actor: Actor): readonly Naming[] => [
  ...namedKinds().map(kind => ({
    key: kind.key,
    column: sql.raw(`notes.named_${kind.key}`),
    seen: (id: RawBuilder<unknown>) => visibleItem(actor, kind, id),
  })),
  { key: 'project_id', column: sql.raw('notes.named_project_id'), seen: id => readableProject(actor, id) },
]

/** What the notes on the item with this key name. */
function visibleNames(actor: Actor, name: NoteableTables['key'], id: number) {
  const columns = namings(actor).map(
    ({ key, column, seen }) => sql`array(
      select named.id from (
        select distinct ${column} as id from notes where ${sql.ref(`notes.${name}`)} = ${id} and ${column} is not null limit ${sql.lit(MOST + 1)}) as named
       where named.id in (${forEachRow(seen(sql.raw('named.id')))})) as ${sql.ref(key)}`,
  )
  return sql<VisibleNames>`${genericPlan} select ${sql.join(columns)}`
}

const namesOfKind = compiledPer((shape: `${PersonKind} ${NoteableTables['key']}`) => {
  const [kind, name] = shape.split(' ') as [PersonKind, NoteableTables['key']]
  return (_db, userId: number, id: number) => visibleNames(personOfKind(kind, userId), name, id)
})

/** The noteable with what its notes name and the actor may see. One statement. */
export async function withVisibleNames(db: Db, actor: Actor, noteable: Noteable): Promise<Noteable> {
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
