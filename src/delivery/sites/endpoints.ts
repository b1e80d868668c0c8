/** Static sites of projects (Pages API at 14.0). */
import Type from 'typebox'
import { siteAddress } from '../../platform/kernel/addresses/site_address.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, described, flag, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { removeSite } from './commands.ts'
import { type SiteRow, siteOf } from './queries.ts'

// Contract: with the API only administrators remove a site (Pages API at 14.0); its Maintainers do on the page of its settings.
export const removePages = endpoint({
  route: 'DELETE /projects/:id/pages',
  summary: 'Remove the site of a project',
  scope: inProject,
  can: 'remove_pages',
  answers: nothing,
  run: ctx => removeSite(ctx, ctx.project.id),
})

/** A site with its address. */
interface PublishedSite {
  readonly address: string
  readonly site: SiteRow | undefined
}

const Pages = entity({
  name: 'Pages',
  schema: Type.Object({
    url: text('Address of the site'),
    deployments: described(
      'What is published: one archive at most',
      Type.Array(
        Type.Object({
          created_at: DateTime('When it was published'),
          url: text('Address of the site'),
          path_prefix: text('Always empty: a project has one site'),
          root_directory: text('Folder of the archive that is served'),
        }),
      ),
    ),
    is_unique_domain_enabled: flag('Always false: the host of a site is that of its group'),
    force_https: flag('Always false: sites are served over HTTP, and by TLS of the proxy in front'),
    primary_domain: Nullable(text('Always null: no domain is preferred')),
  }),
  present: ({ address, site }: PublishedSite) => ({
    url: address,
    deployments: site ? [{ created_at: site.published_at, url: address, path_prefix: '', root_directory: 'public' }] : [],
    is_unique_domain_enabled: false,
    force_https: false,
    primary_domain: null,
  }),
})

export const getPages = endpoint({
  route: 'GET /projects/:id/pages',
  summary: 'Get where the site of a project is, and when it was published',
  scope: inProject,
  can: 'read_pages',
  answers: one(Pages),
  async run({ db, deps, project }): Promise<PublishedSite> {
    // The server serves no sites: there is no address.
    const { pagesUrl: sites } = deps.config
    if (!sites) throw notFound('Pages')
    return { address: siteAddress(sites, project.full_path), site: await siteOf(db, project.id) }
  },
})
