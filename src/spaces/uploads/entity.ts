/** An upload as JSON: its addresses, and the Markdown that shows it. */
import { extname } from 'node:path'
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { text } from '../../platform/kernel/declaration/types.ts'

/** File types that Markdown embeds; others become links. */
const embeddable = new Set(
  [
    ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tiff', '.ico', '.webp'],
    ['.mp4', '.m4v', '.mov', '.webm', '.ogv'],
    ['.mp3', '.oga', '.ogg', '.spx', '.wav'],
  ].flat(),
)

export interface NamedUpload {
  readonly secret: string
  readonly filename: string
  /** The full path of its project. */
  readonly full_path: string
}

export const ProjectUpload = entity({
  name: 'ProjectUpload',
  schema: Type.Object({
    alt: text('Text of the link'),
    url: text('Path of the file, relative to the project'),
    full_path: text('Path of the file from the root'),
    markdown: text('Markdown that embeds it'),
  }),
  present({ secret, filename, full_path }: NamedUpload) {
    const extension = extname(filename)
    const shown = embeddable.has(extension.toLowerCase())
    const alt = shown ? filename.slice(0, -extension.length) : filename
    // Contract: `url` is relative to the project and valid in its Markdown; `full_path` is relative to the instance (public behaviour).
    const url = `/uploads/${secret}/${filename}`
    return { alt, url, full_path: `/${full_path}${url}`, markdown: `${shown ? '!' : ''}[${alt}](${url})` }
  },
})
