/** Lists of domains in which `*` stands for any characters: `example.com`, `*.example.com`. */
import { domainToASCII } from 'node:url'

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
