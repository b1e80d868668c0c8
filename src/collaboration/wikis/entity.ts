/** Pages of wikis as JSON (wikis API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { described, text } from '../../platform/kernel/declaration/types.ts'
import { embedding } from '../../spaces/uploads/entity.ts'
import type { Attachment } from './commands.ts'

const basicFields = {
  format: text('`markdown`, `rdoc`, `asciidoc` or `org`; other formats can be pushed'),
  slug: text('Name of the page in addresses: its path in the wiki without the ending'),
  title: text('Title: the last part of the slug, with spaces'),
}

/** The columns of a page that answers show. */
interface Basic {
  readonly format: string
  readonly slug: string
  readonly title: string
}

export const WikiPageBasic = entity({
  name: 'WikiPageBasic',
  schema: Type.Object(basicFields),
  present: ({ format, slug, title }: Basic) => ({ format, slug, title }),
})

const wholeFields = { ...basicFields, content: text('What it says; as HTML with `render_html`'), encoding: text('Always `UTF-8`') }

const presentWhole = ({ format, slug, title, content }: Basic & { readonly content: string }) => ({
  format,
  slug,
  title,
  content,
  encoding: 'UTF-8',
})

export const WikiPage = entity({ name: 'WikiPage', schema: Type.Object(wholeFields), present: presentWhole })

/** Contract: the list has no pages: it is answered as a whole (wikis API). */
export const WikiPages = entity({
  name: 'WikiPages',
  schema: Type.Array(
    Type.Object({ ...basicFields, content: Type.Optional(wholeFields.content), encoding: Type.Optional(wholeFields.encoding) }),
  ),
  present: (rows: readonly (Basic & { readonly content?: string })[]) =>
    rows.map(({ content, ...row }) =>
      content === undefined ? { format: row.format, slug: row.slug, title: row.title } : presentWhole({ ...row, content }),
    ),
})

export const WikiAttachment = entity({
  name: 'WikiAttachment',
  schema: Type.Object({
    file_name: text('Name of the file'),
    file_path: text('Path of the file in the wiki'),
    branch: text('Branch that it was committed to'),
    link: described(
      'How pages link to it',
      Type.Object({ url: text('Address for pages of the wiki'), markdown: text('Markdown that embeds it') }),
    ),
  }),
  present: ({ file_name, file_path, branch }: Attachment) => ({
    file_name,
    file_path,
    branch,
    link: { url: file_path, markdown: embedding(file_name, file_path).markdown },
  }),
})
