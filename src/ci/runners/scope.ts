import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { runnerOfProject, visibleRunner } from './queries.ts'

const path = { id: integer('ID of a runner') }

/** `:id` becomes a runner that this actor may see, or 404: instance runners, and those that they manage. */
export const inRunner = scope({
  name: 'inRunner',
  path,
  async load({ db, actor }, { id }) {
    const runner = await visibleRunner(db, actor, id)
    if (!runner) throw notFound('Runner')
    return { runner }
  },
  subject: () => ({ on: 'instance' as const }),
})

/** The same for a runner that the actor manages; 403 for instance runners, which administrators manage. */
export const inManagedRunner = scope({
  name: 'inManagedRunner',
  path,
  async load(ctx, ids) {
    const found = await inRunner.load(ctx, ids)
    if (!found.runner.managed) throw forbidden('No access granted')
    return found
  },
  subject: inRunner.subject,
  modifiedAt: ({ runner }) => runner.updated_at,
})

/** `:runner_id` becomes a runner of the project itself, or 404. */
export const inProjectRunner = within(inProject, {
  name: 'inProjectRunner',
  path: { runner_id: integer('ID of a runner') },
  async load({ db, project }, { runner_id }) {
    const runner = await runnerOfProject(db, project.id, runner_id)
    if (!runner) throw notFound('Runner')
    return { runner }
  },
})
