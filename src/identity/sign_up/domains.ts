/** Lists of domains in which `*` stands for any characters: `example.com`, `*.example.com`. */
import { domainToASCII } from 'node:url'
import type { ApplicationSettingsRow } from '../../platform/application_settings/queries.ts'
import { invalid } from '../../platform/kernel/errors.ts'

/** 400 for an address of a domain that the instance does not take from people themselves. */
export function assertEmailDomain(settings: ApplicationSettingsRow, email: string): void {
  const { domain_allowlist, domain_denylist_enabled, domain_denylist } = settings
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const isAllowed = domain_allowlist.length === 0 || isDomainIn(domain_allowlist, domain)
  const isDenied = domain_denylist_enabled && isDomainIn(domain_denylist, domain)
  if (!isAllowed || isDenied) throw invalid({ email: ['is of a domain that this server does not take'] })
}

/** Is the domain in the list? Without regard to case, and to whether its letters are encoded (`xn--…`). */
export function isDomainIn(list: readonly string[], domain: string): boolean {
  const name = encoded(domain)
  return list.some(entry => matches(encoded(entry), name))
}

/** As name servers have it; what is no domain stays as it is. */
const encoded = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

/** Compares part by part, so that the time grows with the length of the texts alone. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const [first = '', ...others] = parts
  if (others.length === 0) return text === first
  const last = others.pop() as string
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
