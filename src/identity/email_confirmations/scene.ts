/** For tests: the mails of a scene whose mail server nobody runs, as they wait in the queue, and its tasks run by hand. */
import { sql } from 'kysely'
import type { Scene } from '../../../test/scene.ts'
import { contentOf } from '../../platform/mail/outbox.ts'
import { tasksOf } from '../../server/tasks.ts'

/** A mail that waits. */
export interface WaitingMail {
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export function outboxOf({ deps }: Scene) {
  const { db } = deps.database
  const tasks = tasksOf(deps)
  return {
    /** Runs the tasks of this name, as the worker would. @returns how many there were */
    async work(task: 'send_confirmation' | 'send_password_reset' | 'send_unlock'): Promise<number> {
      const { rows } = await sql<{ payload: never }>`
        delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
         where tasks.id = jobs.task_id and tasks.identifier = ${task}
        returning jobs.payload`.execute(db)
      for (const { payload } of rows) await tasks[task](payload, undefined)
      return rows.length
    },
    /** Takes the mails to an address, the oldest first. */
    async take(address: string): Promise<readonly WaitingMail[]> {
      const rows = await db.deleteFrom('mails').where(sql`lower(recipient)`, '=', address.toLowerCase()).returningAll().execute()
      return rows
        .sort((one, other) => one.id - other.id)
        .map(row => ({ kind: row.kind, to: row.recipient, subject: row.subject, text: contentOf(row, deps.secrets).text }))
    },
  }
}
