/** Templates as JSON (templates APIs). */
import Type from 'typebox'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { Nullable } from '../../platform/kernel/types.ts'
import type { Template } from './catalogues.ts'
import type { LicenseTemplate } from './licenses.ts'

export const TemplateSummary = plain('TemplateSummary', Type.Object({ key: Type.String(), name: Type.String() }))

const templateSchema = Type.Object({ name: Type.String(), content: Type.String() })

export const FileTemplate = plain('Template', templateSchema)

const licenseSchema = Type.Object({
  key: Type.String(),
  name: Type.String(),
  nickname: Nullable(Type.String()),
  popular: Type.Boolean(),
  featured: Type.Boolean(),
  html_url: Type.String(),
  source_url: Type.String(),
  description: Type.String(),
  conditions: Type.Array(Type.String()),
  permissions: Type.Array(Type.String()),
  limitations: Type.Array(Type.String()),
  content: Type.String(),
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
