/** Domains that lead to the sites of projects (Pages domains API at 14.0). */
import Type from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { File, flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { addDomain, changeDomain, removeDomain } from './commands.ts'
import { PagesDomain, PagesDomainOfInstance } from './entity.ts'
import { allDomains, domainsOf } from './queries.ts'
import { inSiteDomain } from './scope.ts'
import { lookAt } from './verification.ts'

const pem = (about: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: 131_072 }), File(), Type.Null()], { description: `${about}, in PEM; as a text or a file` }),
  )

const attributes = {
  certificate: pem('The certificate, followed by those between it and an authority'),
  key: pem('The private key of the certificate'),
  auto_ssl_enabled: optional(flag('Kept for clients: whether the certificate comes from an authority by itself; false unless given')),
}

const path = '/projects/:id/pages/domains' as const

export const listAllPagesDomains = endpoint({
  route: 'GET /pages/domains',
  summary: 'List the domains of all sites',
  scope: inInstance,
  can: 'admin_instance',
  answers: pageOf(PagesDomainOfInstance),
  run: ({ db }) => allDomains(db),
})

export const listPagesDomains = endpoint({
  route: `GET ${path}`,
  summary: 'List the domains of the site of a project',
  scope: inProject,
  can: 'read_pages',
  answers: pageOf(PagesDomain),
  run: ({ db, project }) => domainsOf(db, project.id),
})

export const getPagesDomain = endpoint({
  route: `GET ${path}/:domain`,
  summary: 'Get a domain of the site of a project',
  scope: inSiteDomain,
  can: 'read_pages',
  answers: one(PagesDomain),
  run: ({ siteDomain }) => siteDomain,
})

export const createPagesDomain = endpoint({
  route: `POST ${path}`,
  summary: 'Add a domain to the site of a project',
  scope: inProject,
  can: 'update_pages',
  params: { domain: text('Name of the domain', { maxLength: 255, examples: ['www.example.org'] }), ...attributes },
  answers: one(PagesDomain),
  run: ctx => addDomain(ctx, ctx.project.id, ctx.params),
})

export const updatePagesDomain = endpoint({
  route: `PUT ${path}/:domain`,
  summary: 'Change the certificate of a domain',
  scope: inSiteDomain,
  can: 'update_pages',
  params: attributes,
  answers: one(PagesDomain),
  run: ctx => changeDomain(ctx, ctx.siteDomain, ctx.params),
})

export const deletePagesDomain = endpoint({
  route: `DELETE ${path}/:domain`,
  summary: 'Remove a domain from the site of a project',
  scope: inSiteDomain,
  can: 'update_pages',
  answers: nothing,
  run: ctx => removeDomain(ctx, ctx.siteDomain),
})

// Newer than 14.0, where a button of the pages does it.
export const verifyPagesDomain = endpoint({
  route: `PUT ${path}/:domain/verify`,
  summary: 'Look at the records that prove whose a domain is',
  scope: inSiteDomain,
  can: 'update_pages',
  writes: 'own',
  answers: one(PagesDomain, 200),
  run: async ctx => (await lookAt(ctx, ctx.siteDomain)) ?? ctx.siteDomain,
})
