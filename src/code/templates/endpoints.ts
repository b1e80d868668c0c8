/** Templates of files: the instance's, and those a project offers (templates APIs of the v4 level 14.0). */
import type { TProperties } from 'typebox'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { FileTemplate, License, TemplateOrLicense, TemplateSummary } from './entity.ts'
import { filled, type LicenseTemplate, licenseTemplates } from './licenses.ts'
import { inCatalogue, inLicense, inProjectTemplate, inProjectTemplates, inTemplate } from './scope.ts'

const fillingParams = {
  project: optional(text('Name of the project, for the text of a licence', { maxLength: 255 })),
  fullname: optional(text('Holder of the copyright; default one’s own name', { maxLength: 255 })),
} satisfies TProperties

const fill = ({ now, actor }: Context, license: LicenseTemplate, params: { project?: string; fullname?: string }) =>
  filled(license, { project: params.project, fullname: params.fullname || actor.user?.name, year: now.getUTCFullYear() })

const licenseEndpoints = (spelling: 'licenses' | 'Licenses') =>
  [
    endpoint({
      route: `GET /templates/${spelling}`,
      summary: 'List licences',
      scope: inInstance,
      can: 'read_instance',
      params: { popular: optional(flag('Only the popular ones')) },
      answers: pageOf(License),
      run: ({ params }) => slicesOf(licenseTemplates().filter(({ featured }) => featured || !params.popular)),
    }),
    endpoint({
      route: `GET /templates/${spelling}/:key`,
      summary: 'Get a licence with its placeholders filled',
      scope: inLicense,
      can: 'read_instance',
      params: fillingParams,
      answers: one(License),
      run: ctx => fill(ctx, ctx.license, ctx.params),
    }),
  ] as const

// Contract: gitbeaker requests `/templates/Licenses` (clients.md).
export const licenses = [...licenseEndpoints('licenses'), ...licenseEndpoints('Licenses')]

export const listTemplates = endpoint({
  route: 'GET /templates/:type',
  summary: 'List the templates of a kind',
  scope: inCatalogue,
  can: 'read_instance',
  answers: pageOf(TemplateSummary),
  run: async ({ catalogue }) => slicesOf(await catalogue.list()),
})

export const getTemplate = endpoint({
  route: 'GET /templates/:type/:key',
  summary: 'Get a template',
  scope: inTemplate,
  can: 'read_instance',
  answers: one(FileTemplate),
  run: ({ template }) => template,
})

export const listProjectTemplates = endpoint({
  route: 'GET /projects/:id/templates/:type',
  summary: 'List the templates of a kind available in a project',
  scope: inProjectTemplates,
  can: 'read_project',
  answers: pageOf(TemplateSummary),
  run: async ({ templates }) => slicesOf(await templates.list()),
})

export const getProjectTemplate = endpoint({
  route: 'GET /projects/:id/templates/:type/:name',
  summary: 'Get a template available in a project',
  scope: inProjectTemplate,
  can: 'read_project',
  params: fillingParams,
  answers: one(TemplateOrLicense),
  run: ctx => ('body' in ctx.template ? fill(ctx, ctx.template, { project: ctx.project.name, ...ctx.params }) : ctx.template),
})
