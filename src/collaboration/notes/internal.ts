/**
 * Who may read and write internal (confidential) notes: members from Reporter up, and nobody for having written the thing or the note.
 * The abilities are in the table of abilities; here is which one counts where.
 */
import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../platform/access/abilities.ts'
import { groupAllows, projectAllows, rowAllows } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { forbidden, invalid } from '../../platform/kernel/errors.ts'
import { type Noteable, subjectOf } from './noteable.ts'

const abilities = {
  Issue: 'read_internal_note',
  MergeRequest: 'read_internal_merge_request_note',
  Epic: 'read_internal_epic_note',
} as const satisfies Record<Noteable['type'], string>

/** May the actor read the internal notes of a thing? */
export const readsInternalNotes = (actor: Actor, noteable: Noteable): boolean =>
  allows(actor, abilities[noteable.type], subjectOf(noteable, false)) === 'yes'

/** 403 for an actor who could not read the note, which would be lost or public for them. */
export function requireInternalNotes(actor: Actor, noteable: Noteable): void {
  if (!readsInternalNotes(actor, noteable)) throw forbidden('Internal notes are for members with at least the Reporter role')
}

/**
 * 400 where the flag that was given is not the one that counts: a thread is internal or public as a whole. To pass over it would publish
 * what was meant for members.
 * @param given undefined where the caller does not say
 */
export function refuseOtherFlag(given: boolean | undefined, isInternal: boolean, what = 'the thread'): void {
  if (given === undefined || given === isInternal) return
  throw invalid({ confidential: [`must be that of ${what}, which is ${isInternal ? 'internal' : 'public'}`] })
}

/** May the actor read the note `notes` as far as it is internal? For statements about the notes of many things. */
export const internalNoteVisible = (actor: Actor): RawBuilder<boolean> => sql<boolean>`(not notes.confidential
  or notes.issue_id in (select about.id from issues about join projects on projects.id = about.project_id
    where about.id = notes.issue_id and ${projectAllows(actor, abilities.Issue)})
  or notes.merge_request_id in (select about.id from merge_requests about join projects on projects.id = about.project_id
    where about.id = notes.merge_request_id and ${projectAllows(actor, abilities.MergeRequest)})
  or notes.epic_id in (select about.id from epics about join namespaces on namespaces.id = about.namespace_id
    where about.id = notes.epic_id and ${groupAllows(actor, abilities.Epic)}))`

/** The same where `seen` is the note's project with the actor's role. */
export const internalNoteVisibleIn = (actor: Actor, type: 'Issue' | 'MergeRequest', seen: string): RawBuilder<boolean> =>
  sql<boolean>`(not notes.confidential or ${rowAllows(actor, abilities[type], seen)})`
