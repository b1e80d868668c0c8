/** Scopes of templates. */
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { catalogues, type Template } from './catalogues.ts'
import { type OwnTemplates, templatesInRepository } from './in_repository.ts'
import { type LicenseTemplate, licenseTemplate, licenseTemplates } from './licenses.ts'

const sets = Object.keys(catalogues) as [keyof typeof catalogues, ...(keyof typeof catalogues)[]]

const key = text('Key of a template', { maxLength: 255 })

/** `:key` is resolved to a licence, or 404. */
export const inLicense = within(inInstance, {
  name: 'inLicense',
  path: { key },
  async load(_ctx, { key }) {
    const license = licenseTemplate(key)
    if (!license) throw notFound('License')
    return { license }
  },
})

/** `:type` is resolved to a catalogue of templates, or 404. */
export const inCatalogue = within(inInstance, {
  name: 'inCatalogue',
  path: { type: OneOf(sets, { description: 'Kind of template' }) },
  load: async (_ctx, { type }) => ({ catalogue: catalogues[type] }),
})

/** `:key` is resolved to a template of the catalogue, or 404. */
export const inTemplate = within(inCatalogue, {
  name: 'inTemplate',
  path: { key },
  async load({ catalogue }, { key }) {
    const template = await catalogue.find(key)
    if (!template) throw notFound('Template')
    return { template }
  },
})

/** The templates of one kind available in a project. */
export interface ProjectTemplates {
  list(): Promise<readonly { readonly key: string; readonly name: string }[]>
  find(key: string): Promise<Template | LicenseTemplate | undefined>
}

const licenses: ProjectTemplates = {
  list: async () => licenseTemplates().map(({ key, title }) => ({ key, name: title })),
  find: async key => licenseTemplate(key),
}

const nobodys: ProjectTemplates = { list: async () => [], find: async () => undefined }

const isOwn = (type: string): type is OwnTemplates => type === 'issues' || type === 'merge_requests'

/** The templates of issues or merge requests in a project's repository; none for those who may not read it. */
export const ownTemplatesOf = (ctx: Context, project: ProjectWithRole, type: OwnTemplates): ProjectTemplates =>
  allows(ctx.actor, 'read_project_templates', projectSubject(project)) === 'yes' ? templatesInRepository(ctx, project, type) : nobodys

/** `:type` is resolved to the templates of that kind available in the project. Its own ones require access to the repository. */
export const inProjectTemplates = within(inProject, {
  name: 'inProjectTemplates',
  path: { type: OneOf([...sets, 'licenses', 'issues', 'merge_requests'], { description: 'Kind of template' }) },
  async load(ctx, { type }): Promise<{ templates: ProjectTemplates }> {
    if (type === 'licenses') return { templates: licenses }
    if (!isOwn(type)) return { templates: catalogues[type] }
    return { templates: ownTemplatesOf(ctx, ctx.project, type) }
  },
})

/** `:name` is resolved to a template available in the project, or 404. */
export const inProjectTemplate = within(inProjectTemplates, {
  name: 'inProjectTemplate',
  path: { name: text('Key of a template', { maxLength: 255 }) },
  async load({ templates }, { name }) {
    const template = await templates.find(name)
    if (!template) throw notFound('Template')
    return { template }
  },
})
