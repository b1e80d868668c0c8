/** The page of the site of a project: where it is, who sees it, and the domains that lead to it. */

import { removeSite } from '../../delivery/sites/commands.ts'
import * as api from '../../delivery/sites/domains/endpoints.ts'
import type { SiteDomainRow } from '../../delivery/sites/domains/queries.ts'
import { recordName, recordText } from '../../delivery/sites/domains/verification.ts'
import { siteOf } from '../../delivery/sites/queries.ts'
import { siteAddress } from '../../platform/kernel/addresses/site_address.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { done } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

/** After the path of the project. */
export const SITE = '/-/pages'

type Row = Pick<SiteDomainRow, 'domain' | 'verification_code' | 'enabled_until'> & {
  readonly url: string
  readonly verified: boolean
  readonly certificate?: { readonly expired: boolean }
}

const audiences: Readonly<Record<string, string>> = {
  disabled: 'nobody: it is off',
  private: 'members of the project',
  enabled: 'everyone who may see the project',
  public: 'everyone',
}

const CI_FILE = `pages:
  script: [cp -r site public]
  artifacts: { paths: [public] }
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]`

/** Where the site is, since when, and who sees it. */
async function about(ctx: Context & InEither): Promise<Html> {
  const { db, deps } = ctx
  const project = ctx.project as ProjectWithRole
  const { pagesUrl: sites } = deps.config
  const site = await siteOf(db, project.id)
  const domains = html`<div class="heading section"><h2 id="domains">Domains</h2></div>`
  if (!sites)
    return html`<p class="notice attention"><span>This server serves no sites: its operator has set no address for them (<code>INGOT_PAGES_URL</code>).</span></p>${domains}`
  if (!site)
    return html`<p class="muted">The project has no site yet. A job called <code>pages</code> that leaves a folder <code>public</code> in its artifacts makes one:</p><pre><code>${CI_FILE}</code></pre>${domains}`
  const address = siteAddress(sites, project.full_path)
  const remove = {
    to: `${projectHome.pathOf(ctx)}${SITE}/remove`,
    face: 'Remove site',
    look: 'danger',
    asks: 'Remove the site? Its domains stay.',
  } as const
  const job = site.job_id !== null && html` by <a href="${projectPath(project, `/-/jobs/${site.job_id}`)}">job #${site.job_id}</a>`
  return html`<dl class="facts-list"><dt>Address</dt><dd><a href="${address}/" rel="noreferrer">${address}/</a></dd><dt>Seen by</dt><dd>${audiences[project.pages_access_level]} (<a href="${projectPath(project, '/-/edit#visibility')}">change</a>)</dd><dt>Published</dt><dd>${time(site.published_at)}${job}</dd><dt>Holds</dt><dd>${site.file_count} ${site.file_count === 1 ? 'file' : 'files'}, ${bytesText(site.unpacked_size)}</dd></dl>
${projectHome.may(ctx, 'update_pages') && html`<div class="row section">${actionButton(ctx, remove)}</div>`}${domains}`
}

/** Whether it leads to the site, and what is missing. */
function stateOf({ verified, enabled_until }: Row, now: Date): Html {
  if (verified) return chip('Verified', 'success')
  const isEnabled = enabled_until !== null && new Date(enabled_until) > now
  return isEnabled
    ? html`${chip('Not verified any more', 'attention')}<span>leads to the site until ${time(enabled_until)}</span>`
    : chip('Not verified', 'attention')
}

const pair: readonly FieldSpec[] = [
  {
    name: 'certificate',
    label: 'Certificate',
    control: 'textarea',
    placeholder: '-----BEGIN CERTIFICATE-----',
    hint: 'In PEM, followed by those between it and its authority. It is kept for clients of the API: the proxy before Ingot serves certificates.',
  },
  {
    name: 'key',
    label: 'Private key',
    control: 'textarea',
    placeholder: '-----BEGIN PRIVATE KEY-----',
    hint: 'In PEM, without a passphrase. It is kept encrypted, and shown nowhere.',
  },
]

export const sitePages = thingPages<InEither, Row>({
  home: projectHome,
  path: SITE,
  key: 'pages',
  title: 'Pages',
  icon: 'globe',
  purpose: 'A domain of your own leads to the site, once a record of it proves that it is yours.',
  list: api.listPagesDomains,
  before: about,
  row: (domain, { now }) =>
    html`<div class="title break"><a href="${domain.url}/" rel="noreferrer">${domain.domain}</a></div><div class="facts">${stateOf(domain, now)}${domain.certificate?.expired && chip('Certificate expired', 'danger')}</div>${
      !domain.verified &&
      html`<p class="muted">Set this TXT record at the name servers of the domain, and then let it be verified.</p><div class="stack">${copyField('name of the record', recordName(domain.domain))}${copyField('text of the record', recordText(domain))}</div>`
    }`,
  labelOf: ({ domain }) => domain,
  idOf: ({ domain }) => domain,
  id: 'domain',
  add: {
    of: api.createPagesDomain,
    title: 'Add domain',
    fields: () => [
      {
        name: 'domain',
        label: 'Domain',
        placeholder: 'www.example.org',
        hint: 'Its address must lead to this server, or to the proxy before it.',
        autofocus: true,
      },
      ...pair,
    ],
    notice: 'The domain was added.',
  },
  edit: {
    of: api.updatePagesDomain,
    named: ({ siteDomain }: { readonly siteDomain: SiteDomainRow }) => siteDomain.domain,
    fields: () => pair,
    values: ({ siteDomain: { certificate } }: { readonly siteDomain: SiteDomainRow }) => ({ certificate }),
    notice: 'The domain was changed.',
  },
  actions: [{ key: 'verify', of: api.verifyPagesDomain, button: 'Verify', notice: 'The records were looked up.' }],
  remove: { of: api.deletePagesDomain, button: 'Remove', notice: 'The domain was removed.' },
})

// Contract: Maintainers remove a site on its page, and administrators with the API (public permissions at 14.0).
export const removeSiteOnPage = formEndpoint({
  route: `POST /:project_path${SITE}/remove`,
  summary: 'Remove the site of a project',
  scope: inProjectPage,
  can: 'update_pages',
  async run(ctx) {
    await removeSite(ctx, ctx.project.id)
    return done(ctx, projectPath(ctx.project, SITE), 'The site was removed.')
  },
})
