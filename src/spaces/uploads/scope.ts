/** Uploads in paths. */
import Type from 'typebox'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { scope, within } from '../../platform/kernel/scope.ts'
import { findProject, inProject, projectSubject } from '../projects/scope.ts'
import { uploadIn } from './queries.ts'

const file = {
  secret: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The part of the address that nobody can guess' }),
  filename: Type.String({ description: 'Name of the file' }),
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

/** The same by the full path of the project, as in `full_path` of an answer. */
export const inUploadPath = scope({
  name: 'inUploadPath',
  path: { project_path: Type.String({ description: 'Full path of a project' }), ...file },
  async load(ctx, { project_path, ...path }) {
    // A number would be an id.
    if (!project_path.includes('/')) throw notFound('Project')
    const project = await findProject(ctx.db, ctx.actor, project_path)
    return { project, ...(await findUpload(ctx, project.id, path)) }
  },
  subject: ({ project }) => projectSubject(project),
})
