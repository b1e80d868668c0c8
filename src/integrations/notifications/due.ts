/** Mails about open issues that are due tomorrow. */
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { itemNews } from './items.ts'

/** Issues that are read at a time. */
const AT_A_TIME = 200
const DAY = 24 * 60 * 60 * 1000

/** Writes the mails about the issues that are due tomorrow, once for each issue and day. */
export async function mailDueIssues(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { db } = deps.database
  const day = new Date(deps.now().getTime() + DAY).toISOString().slice(0, 10)
  for (let last = 0; !signal?.aborted; ) {
    const due = await db
      .selectFrom('issues')
      .select(['id', 'project_id'])
      .where('due_date', '=', day)
      .where('state', '=', 'opened')
      .where('id', '>', last)
      .orderBy('id')
      .limit(AT_A_TIME)
      .execute()
    for (const { id, project_id } of due)
      await itemNews(
        systemContext(deps, db),
        { id, actorId: null, place: { project_id }, thread: `due_${day}` },
        { issue_id: id },
        {
          kind: 'due',
          says: (words, about) => words.say('item.due', { ...about, day: words.day(day) }),
          events: ['issue_due'],
          key: `due:${id}:${day}`,
        },
      )
    const end = due.at(-1)
    if (!end || due.length < AT_A_TIME) return
    last = end.id
  }
}
