/** Domains of sites as JSON (Pages domains API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, flag, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { certificateFacts } from './certificate.ts'
import type { SiteDomainRow } from './queries.ts'

const common = {
  domain: text('Name of the domain'),
  url: text('Address of the site under the domain; `https` where the domain has a certificate of its own'),
  verified: flag('Whether the last look at the records proved whose the domain is'),
  verification_code: text('What a TXT record of the domain must have after `gitlab-pages-verification-code=`'),
  enabled_until: Nullable(DateTime('Until when the site is served under the domain, unless it is verified again; null: it is not')),
  auto_ssl_enabled: flag('Kept for clients: whether the certificate comes from an authority by itself. A proxy does that'),
}

const commonOf = ({ domain, certificate, verified_at, verification_code, enabled_until, auto_ssl_enabled }: SiteDomainRow) => ({
  domain,
  url: `${certificate === null ? 'http' : 'https'}://${domain}`,
  verified: verified_at !== null,
  verification_code,
  enabled_until,
  auto_ssl_enabled,
})

const expired = flag('Whether it has expired')
const expiration = DateTime('When it expires')

export const PagesDomain = entity({
  name: 'PagesDomain',
  schema: Type.Object({
    ...common,
    certificate: Type.Optional(
      Type.Object(
        {
          subject: text('Whom it is for'),
          expired,
          certificate: text('The certificate, in PEM'),
          certificate_text: text('What it says, in words'),
        },
        { description: 'The certificate, where the domain has one of its own' },
      ),
    ),
  }),
  present: (row: SiteDomainRow, _loaded, { now }) => {
    const { certificate } = row
    if (certificate === null) return commonOf(row)
    const { subject, expiration, text: certificate_text } = certificateFacts(certificate)
    return { ...commonOf(row), certificate: { subject, expired: new Date(expiration) < now, certificate, certificate_text } }
  },
})

const Expiration = (about: string) => Type.Optional(Type.Object({ expired, expiration }, { description: about }))

export const PagesDomainOfInstance = entity({
  name: 'PagesDomainOfInstance',
  schema: Type.Object({
    ...common,
    project_id: integer('ID of the project whose site it leads to'),
    // Contract: documented as `certificate`, and answered as `certificate_expiration` (Pages domains API at 14.0): both are there.
    certificate: Expiration('When the certificate expires, where the domain has one of its own'),
    certificate_expiration: Expiration('The same, as some clients read it'),
  }),
  present: (row: SiteDomainRow, _loaded, { now }) => {
    const shown = { ...commonOf(row), project_id: row.project_id }
    if (row.certificate === null) return shown
    const { expiration } = certificateFacts(row.certificate)
    const certificate = { expired: new Date(expiration) < now, expiration }
    return { ...shown, certificate, certificate_expiration: certificate }
  },
})
