/** Repositories as administrators see them: where they are, as they are, and tidied (projects API at 14.0). */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import Type from 'typebox'
import { streamSnapshot } from '../../platform/git/index.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { bytes, endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { inRepository } from '../repository/scope.ts'
import { requestHousekeeping } from './commands.ts'

export const startHousekeeping = endpoint({
  route: 'POST /projects/:id/housekeeping',
  summary: 'Pack and check the repository of a project',
  scope: inProject,
  can: 'admin_project',
  answers: { kind: 'nothing', status: 201 },
  run: ({ db, project }) => requestHousekeeping(db, project.id),
})

const Storage = plain(
  'ProjectStorage',
  Type.Object({
    project_id: integer('ID of the project'),
    disk_path: text('Path of the repository in its storage, without `.git`'),
    created_at: DateTime('When the project was created'),
    repository_storage: text('Name of the storage'),
  }),
)

export const getProjectStorage = endpoint({
  route: 'GET /projects/:id/storage',
  summary: 'Get where the repository of a project is',
  scope: inProject,
  can: 'admin_project_storage',
  answers: one(Storage),
  run: ({ deps, project: { id, created_at, repository_storage } }) => ({
    project_id: id,
    disk_path: deps.storages.get(repository_storage).diskPath(id),
    created_at,
    repository_storage,
  }),
})

export const getSnapshot = endpoint({
  route: 'GET /projects/:id/snapshot',
  summary: 'Download the repository of a project as it is on disk',
  scope: inRepository,
  can: 'admin_project_storage',
  cost: 'heavy',
  params: { wiki: optional(flag('The repository of the wiki, in place of that of the project')) },
  answers: bytes('application/x-tar'),
  run({ repository, params, request }) {
    if (!repository || params.wiki) throw notFound('Repository')
    const body = Readable.from(streamSnapshot(repository, request.signal))
    return {
      body,
      work: finished(body),
      headers: { 'content-type': 'application/x-tar', 'content-disposition': 'attachment; filename="snapshot.tar"' },
    }
  },
})
