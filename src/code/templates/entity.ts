/** Templates as JSON (templates APIs). */
import Type from 'typebox'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { described, flag, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { Template } from './catalogues.ts'
import type { LicenseTemplate } from './licenses.ts'

export const TemplateSummary = plain(
  'TemplateSummary',
  Type.Object({ key: text('Key of the template'), name: text('Name of the template') }),
)

const templateSchema = Type.Object({ name: text('Name of the template'), content: text('Text of the template') })

export const FileTemplate = plain('Template', templateSchema)

const licenseSchema = Type.Object({
  key: text('Key of the template'),
  name: text('Name of the template'),
  nickname: Nullable(text('Short name; null where there is none')),
  popular: flag('Whether the licence is among the popular ones'),
  featured: flag('Whether the licence is among the popular ones'),
  html_url: text('Address of a page about it'),
  source_url: text('Address of the source; null where unknown'),
  description: text('What the licence is about'),
  conditions: described('What the licence demands', Type.Array(Type.String())),
  permissions: described('What the licence permits', Type.Array(Type.String())),
  limitations: described('What the licence excludes', Type.Array(Type.String())),
  content: text('Text of the template'),
})

export const License = entity({
  name: 'License',
  schema: licenseSchema,
  present: (row: LicenseTemplate) => ({
    key: row.key,
    name: row.title,
    nickname: row.nickname,
    // Contract: two names of the same field (licenses API).
    popular: row.featured,
    featured: row.featured,
    html_url: `http://choosealicense.com/licenses/${row.key}/`,
    source_url: row.urls.opensource,
    description: row.description,
    conditions: [...row.conditions],
    permissions: [...row.permissions],
    limitations: [...row.limitations],
    content: row.body,
  }),
})

/** Contract: a licence among a project's templates has all fields of a licence (project templates API). */
export const TemplateOrLicense = entity({
  name: 'TemplateOrLicense',
  schema: Type.Union([licenseSchema, templateSchema]),
  present: (row: Template | LicenseTemplate, loaded: undefined, facts) => ('body' in row ? License.present(row, loaded, facts) : row),
})
