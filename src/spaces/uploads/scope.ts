/** Uploads in paths. */

import type { Context } from '../../platform/kernel/context.ts'
import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { findProject, inProject, projectSubject } from '../projects/scope.ts'
import { uploadById, uploadIn } from './queries.ts'

const file = {
  secret: text('The part of the address that nobody can guess', { pattern: '^[0-9a-f]{32}$' }),
  filename: text('Name of the file'),
}

async function findUpload({ db }: Context, projectId: number, { secret, filename }: { secret: string; filename: string }) {
  const upload = await uploadIn(db, projectId, secret)
  if (upload?.filename !== filename) throw notFound('Upload')
  return { upload }
}

/** `:id`, `:secret` and `:filename` become an upload of a project that this actor may see, or 404. */
export const inUpload = within(inProject, {
  name: 'inUpload',
  path: file,
  load: (ctx, path) => findUpload(ctx, ctx.project.id, path),
})

/** `:id` and `:upload_id` become an upload of a project that this actor may see, or 404. */
export const inUploadById = within(inProject, {
  name: 'inUploadById',
  path: { upload_id: integer('ID of an upload') },
  async load({ db, project }, { upload_id }) {
    const upload = await uploadById(db, project.id, upload_id)
    if (!upload) throw notFound('Upload')
    return { upload }
  },
})

/** The same by the full path of the project, as in `full_path` of an answer. */
export const inUploadPath = scope({
  name: 'inUploadPath',
  path: { project_path: text('Full path of a project'), ...file },
  async load(ctx, { project_path, ...path }) {
    // A number would be an id.
    if (!project_path.includes('/')) throw notFound('Project')
    const project = await findProject(ctx.db, ctx.actor, project_path)
    return { project, ...(await findUpload(ctx, project.id, path)) }
  },
  subject: ({ project }) => projectSubject(project),
})
