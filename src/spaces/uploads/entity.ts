/** An upload as JSON: its addresses, and the Markdown that shows it. */
import { extname } from 'node:path'
import Type from 'typebox'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { UploadRow } from './queries.ts'

/** File types that Markdown embeds; others become links. */
const embeddable = new Set(
  [
    ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tiff', '.ico', '.webp'],
    ['.mp4', '.m4v', '.mov', '.webm', '.ogv'],
    ['.mp3', '.oga', '.ogg', '.spx', '.wav'],
  ].flat(),
)

/** How Markdown shows a file of this name: pictures and the like where they are, others as links. */
export function embedding(filename: string, url: string): { readonly alt: string; readonly markdown: string } {
  const extension = extname(filename)
  const shown = embeddable.has(extension.toLowerCase())
  const alt = shown ? filename.slice(0, -extension.length) : filename
  return { alt, markdown: `${shown ? '!' : ''}[${alt}](${url})` }
}

export interface NamedUpload {
  readonly id: number
  readonly secret: string
  readonly filename: string
  /** The full path of its project. */
  readonly full_path: string
}

export const ProjectUpload = entity({
  name: 'ProjectUpload',
  schema: Type.Object({
    // Contract: newer clients delete by it (public behaviour after 14.0).
    id: integer('ID, unique on the instance'),
    alt: text('Text of the link'),
    url: text('Path of the file, relative to the project'),
    full_path: text('Path of the file from the root'),
    markdown: text('Markdown that embeds it'),
  }),
  present({ id, secret, filename, full_path }: NamedUpload) {
    // Contract: `url` is relative to the project and valid in its Markdown; `full_path` is relative to the instance (public behaviour).
    const url = `/uploads/${secret}/${filename}`
    return { id, url, full_path: `/${full_path}${url}`, ...embedding(filename, url) }
  },
})

/** An upload in the list for those who look after the project (public behaviour after 14.0). */
export const StoredUpload = entity({
  name: 'StoredUpload',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    size: integer('Bytes'),
    filename: text('Name of the file'),
    created_at: DateTime('When it was uploaded'),
    uploaded_by: Nullable(Type.Object({ id: integer('ID of the user'), name: text('Full name'), username: text('Username') }), {
      description: 'Who uploaded it; null where the account was deleted',
    }),
  }),
  load: ({ db }, rows: readonly UploadRow[]) => usersById(db, idsOf(rows, 'uploader_id')),
  present({ id, size, filename, created_at, uploader_id }: UploadRow, users) {
    const user = uploader_id === null ? undefined : users.get(uploader_id)
    return {
      id,
      size,
      filename,
      created_at,
      uploaded_by: user ? { id: user.id, name: user.name, username: user.username } : null,
    }
  },
})
