/** May the recipient of a notification still read what it is about? Asked when it is sent: the mail server may have been away for days. */
import { sql } from 'kysely'
import type { NoteableKey } from '../../collaboration/item_kinds/kinds.ts'
import { noteById } from '../../collaboration/notes/queries.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import type { GuardedMail } from '../../platform/mail/send.ts'
import { groupsById } from '../../spaces/groups/queries.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { allowedInGroup, allowedInProject } from './places.ts'
import { findSubject } from './subjects.ts'

/** Is the account active, and the address still confirmed as its own? */
async function reaches({ database }: Deps, userId: number, address: string): Promise<boolean> {
  const row = await database.db
    .selectFrom('users')
    .select('users.id')
    .where('id', '=', userId)
    .where('state', '=', 'active')
    .where('confirmed_at', 'is not', null)
    .where(
      sql<boolean>`(lower(email) = lower(${address}) or exists (
        select from emails where emails.user_id = users.id and lower(emails.email) = lower(${address}) and emails.confirmed_at is not null))`,
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Decides by the same rules as the API. */
export async function mayStillRead(deps: Deps, { userId, address, about }: GuardedMail): Promise<boolean> {
  if (!(await reaches(deps, userId, address))) return false
  const { db } = deps.database
  const ids = [userId]
  if ('issue_id' in about || 'merge_request_id' in about || 'epic_id' in about || 'commented_commit_id' in about || 'snippet_id' in about) {
    const { note_id, ...key } = about
    const note = note_id === undefined ? undefined : await noteById(db, note_id as number)
    // Deleted meanwhile: there was a reason for it.
    if (note_id !== undefined && !note) return false
    const ctx = systemContext(deps, db)
    const subject = await findSubject(ctx, key as unknown as NoteableKey)
    return subject !== undefined && (await subject.text.readers(ctx, ids, note?.confidential === true)).length > 0
  }
  if ('project_id' in about) {
    const project = (await projectsById(db, [about.project_id as number])).get(about.project_id as number)
    return project !== undefined && (await allowedInProject(db, project, about.pipeline ? 'read_pipeline' : 'read_project', ids)).length > 0
  }
  const group = (await groupsById(db, [about.namespace_id as number])).get(about.namespace_id as number)
  return group !== undefined && (await allowedInGroup(db, group, 'read_group', ids)).length > 0
}
