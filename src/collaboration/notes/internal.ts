/**
 * Who may read and write internal (confidential) notes: members from Reporter up. Having written the item or the note gives no right.
 * The abilities are in the table of abilities; each item kind names its own.
 */
import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../platform/access/abilities.ts'
import { groupAllows, projectAllows, rowAllows } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { KnownMemberships } from '../../platform/access/visible.ts'
import { forbidden, invalid } from '../../platform/kernel/errors.ts'
import { noteableKind, noteableKinds } from '../item_kinds/item_kind.ts'
import type { NoteableNoun } from '../item_kinds/kinds.ts'
import { type Noteable, subjectOf } from './items/noteable.ts'

/** May the actor read the internal notes of an item? */
export const readsInternalNotes = (actor: Actor, noteable: Noteable): boolean =>
  allows(actor, noteableKind(noteable.noun).readInternal, subjectOf(noteable, false)) === 'yes'

/** 403 for an actor who could not read the note, which would be lost or public for them. */
export function requireInternalNotes(actor: Actor, noteable: Noteable): void {
  if (!readsInternalNotes(actor, noteable)) throw forbidden('Internal notes are for members with at least the Reporter role')
}

/**
 * 400 if the given flag differs from the effective one: a thread is internal or public as a whole. Ignoring the flag would publish
 * what was meant for members.
 * @param given undefined if the caller gives no flag
 */
export function assertSameFlag(given: boolean | undefined, isInternal: boolean, what = 'the thread'): void {
  if (given === undefined || given === isInternal) return
  throw invalid({ confidential: [`must be that of ${what}, which is ${isInternal ? 'internal' : 'public'}`] })
}

/**
 * May the actor read the note `notes`, in case it is internal? For statements on notes of many items.
 * @param known the actor's memberships, if they are loaded
 */
export function internalNoteVisible(actor: Actor, known?: KnownMemberships): RawBuilder<boolean> {
  const among = noteableKinds.value.map(kind => {
    const [table, column] = [kind.table, `notes.${kind.key}`].map(part => sql.raw(part))
    const place =
      kind.within === 'project' ? sql`projects on projects.id = about.project_id` : sql`namespaces on namespaces.id = about.namespace_id`
    const allowed = kind.within === 'project' ? projectAllows(actor, kind.readInternal, known) : groupAllows(actor, kind.readInternal)
    return sql`${column} in (select about.id from ${table} about join ${place}
      where about.id = ${column} and ${allowed})`
  })
  return sql<boolean>`(not notes.confidential or ${sql.join(among, sql` or `)})`
}

/** Like `internalNoteVisible`, for notes on items of one kind, where `seen` is the note's project with the actor's role. */
export const internalNoteVisibleIn = (actor: Actor, noun: NoteableNoun, seen: string): RawBuilder<boolean> =>
  sql<boolean>`(not notes.confidential or ${rowAllows(actor, noteableKind(noun).readInternal, seen)})`
