/** What notifications are written, for tests: the deliveries of events are carried out by hand, and the mails are read as they would be sent. */
import type { Scene } from '../../../test/scene.ts'
import { contentOf, type MailContent, mailsWithBodies } from '../../platform/mail/outbox.ts'
import { tasksOf } from '../../server/tasks.ts'

export interface WrittenMail extends MailContent {
  readonly id: number
  readonly kind: string
  readonly subject: string
  readonly recipient: string
}

/** The notifications of a scene that has no worker. */
export function notificationScene({ deps }: Scene) {
  const { db, pool } = deps.database
  const tasks = tasksOf(deps)

  /** Delivers all events that wait. */
  async function deliver(): Promise<void> {
    for (;;) {
      const { rows } = await pool.query<{ task: 'deliver_event' | 'deliver_events'; payload: never }>(
        `with taken as (
           delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
            where tasks.id = jobs.task_id and tasks.identifier in ('deliver_event', 'deliver_events')
           returning jobs.id, tasks.identifier as task, jobs.payload)
         select task, payload from taken order by id`,
      )
      if (rows.length === 0) return
      for (const { task, payload } of rows) await tasks[task](payload, undefined)
    }
  }

  /** Delivers what waits, and answers the mails that were written since the last call, in the order of their recipients. */
  let last = 0
  async function mails(): Promise<readonly WrittenMail[]> {
    await deliver()
    const rows = await mailsWithBodies(db).where('mails.id', '>', last).orderBy('mails.id').execute()
    last = rows.at(-1)?.id ?? last
    return rows
      .filter(({ about }) => about !== null)
      .map(row => ({ id: row.id, kind: row.kind, subject: row.subject, recipient: row.recipient, ...contentOf(row, deps.secrets) }))
      .toSorted((a, b) => a.recipient.localeCompare(b.recipient))
  }

  /** The same as pairs of address and reason. */
  const reasons = async (): Promise<Record<string, string | undefined>> =>
    Object.fromEntries((await mails()).map(mail => [mail.recipient, mail.headers?.['X-GitLab-NotificationReason']]))

  return { deliver, mails, reasons, tasks }
}
