/** Domains by the address of their project. */
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { domainsOf, type SiteDomainRow } from './queries.ts'

/** `:domain` becomes a domain of the project, or 404. */
export const inSiteDomain = within(inProject, {
  name: 'inSiteDomain',
  path: { domain: text('Name of a domain', { maxLength: 255 }) },
  async load({ db, project }, { domain }): Promise<{ siteDomain: SiteDomainRow }> {
    const siteDomain = await domainsOf(db, project.id).where('domain', '=', domain.toLowerCase()).executeTakeFirst()
    if (!siteDomain) throw notFound('PagesDomain')
    return { siteDomain }
  },
  modifiedAt: ({ siteDomain }) => siteDomain.updated_at,
})
