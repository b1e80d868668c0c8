/** What the queued tasks do (events/worker.ts names them and their payloads). */
import type { Tasks } from './events/worker.ts'
import type { Deps } from './kernel/context.ts'

/** The tasks of an instance. */
export const tasksOf = ({ database: { db }, storages }: Deps): Tasks => ({
  async deliver_event({ event_id }) {
    const event = await db.selectFrom('events').select(['kind', 'payload']).where('id', '=', event_id).executeTakeFirst()
    if (event?.kind !== 'project.deleted') return
    const project = event.payload as { project_id: number; repository_storage: string }
    await storages.get(project.repository_storage).remove(storages.repository({ id: project.project_id, ...project }))
  },
})
