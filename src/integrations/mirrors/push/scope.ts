/** Push mirrors by the address of their project. */
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { type RemoteMirrorRow, remoteMirrorsOf } from './queries.ts'

/** `:mirror_id` becomes a push mirror of the project, or 404. */
export const inRemoteMirror = within(inProject, {
  name: 'inRemoteMirror',
  path: { mirror_id: integer('ID of a push mirror') },
  async load({ db, project }, { mirror_id }): Promise<{ mirror: RemoteMirrorRow }> {
    const mirror = await remoteMirrorsOf(db, project.id).where('id', '=', mirror_id).executeTakeFirst()
    if (!mirror) throw notFound()
    return { mirror }
  },
})
