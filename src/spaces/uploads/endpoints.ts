/** Files attached to texts in a project. */

import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import { objectAnswer } from '../../platform/kernel/answer/object.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { endpoint, nothing, one, pageOf, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { File } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../projects/scope.ts'
import { encodeUploadPath } from './address.ts'
import * as commands from './commands.ts'
import { ProjectUpload, StoredUpload } from './entity.ts'
import { type UploadRow, uploadsOf } from './queries.ts'
import { inUpload, inUploadById, inUploadPath } from './scope.ts'

/** Limit of the request in bytes, with the multipart framing. */
const MAX_UPLOAD = 100 * 1024 * 1024

export const createUpload = endpoint({
  route: 'POST /projects/:id/uploads',
  summary: 'Upload a file, to be named in Markdown',
  scope: inProject,
  can: 'upload_file',
  params: {
    file: File({ description: 'The file, of at most as many MB as the setting `max_attachment_size` says', examples: ['@notes.txt'] }),
  },
  bodyLimit: MAX_UPLOAD,
  answers: one(ProjectUpload),
  writes: 'own',
  run: ctx => commands.createUpload(ctx, ctx.project, ctx.params.file),
})

// Contract: uploads are listed and deleted as the platform got it later (public behaviour after 14.0).
export const listUploads = endpoint({
  route: 'GET /projects/:id/uploads',
  summary: 'List the files that were uploaded to a project, the latest first',
  scope: inProject,
  can: 'admin_project',
  answers: pageOf(StoredUpload),
  run: ({ db, project }) => uploadsOf(db, project.id),
})

/** Images are displayed, everything else is downloaded: an uploaded page must not run in this server's origin. */
const fileOf = (ctx: Context & { upload: UploadRow }) =>
  objectAnswer(ctx, ctx.upload, {
    mediaType: ctx.upload.image_type ?? 'application/octet-stream',
    disposition: contentDisposition(ctx.upload.image_type ? 'inline' : 'attachment', ctx.upload.filename),
  })

export const serveUpload = endpoint({
  route: 'GET /:project_path/uploads/:secret/:filename',
  summary: 'Show or download an uploaded file',
  scope: inUploadPath,
  can: 'read_project',
  dialect: { ...root, name: 'uploads', rewrite: encodeUploadPath },
  answers: ranged('application/octet-stream'),
  run: fileOf,
})

// Contract: newer clients use this address (public behaviour after 14.0).
export const serveUploadById = endpoint({
  route: 'GET /-/project/:id/uploads/:secret/:filename',
  summary: 'Show or download an uploaded file of the project with this id',
  scope: inUpload,
  can: 'read_project',
  dialect: root,
  answers: ranged('application/octet-stream'),
  run: fileOf,
})

export const downloadUpload = endpoint({
  route: 'GET /projects/:id/uploads/:upload_id',
  summary: 'Download an uploaded file by its ID',
  scope: inUploadById,
  can: 'admin_project',
  answers: ranged('application/octet-stream'),
  run: fileOf,
})

export const downloadUploadBySecret = endpoint({
  route: 'GET /projects/:id/uploads/:secret/:filename',
  summary: 'Download an uploaded file by its address',
  scope: inUpload,
  can: 'read_project',
  answers: ranged('application/octet-stream'),
  run: fileOf,
})

export const deleteUpload = endpoint({
  route: 'DELETE /projects/:id/uploads/:upload_id',
  summary: 'Delete an uploaded file by its ID',
  scope: inUploadById,
  can: 'admin_project',
  answers: nothing,
  run: ctx => commands.removeUpload(ctx, ctx.project.id, ctx.upload),
})

export const deleteUploadBySecret = endpoint({
  route: 'DELETE /projects/:id/uploads/:secret/:filename',
  summary: 'Delete an uploaded file by its address',
  scope: inUpload,
  can: 'admin_project',
  answers: nothing,
  run: ctx => commands.removeUpload(ctx, ctx.project.id, ctx.upload),
})
